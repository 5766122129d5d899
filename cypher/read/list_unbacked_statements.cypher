// name: list_unbacked_statements
// what: Which of these statements have no evidence left.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (t:Statement) WHERE t.key IN $keys
OPTIONAL MATCH (t)-[e:EVIDENCED_BY]->(:Chunk)
WITH t, count(e) AS backed WHERE backed = 0
RETURN t.key AS key, t.subject AS subject, t.object AS object, t.scope AS scope, t.polarity AS polarity
