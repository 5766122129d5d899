// name: check_statements_backed
// what: Statements without evidence.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
MATCH (t:Statement)
OPTIONAL MATCH (t)-[e:EVIDENCED_BY]->(:Chunk)
WITH t, count(e) AS backed WHERE backed = 0
RETURN t.key AS key LIMIT $limit
