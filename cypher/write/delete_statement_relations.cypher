// name: delete_statement_relations
// what: Relations that carry the keys of statements; both ends are bound before the edge.
// mode: write
// params: rows
// scope: free - keys of one document only
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
MATCH (s)-[e {key: r.key}]->(o)
DELETE e
