// name: create_statement_relations
// what: Relations of new public, affirmed statements; each carries its statement's key.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
CREATE (s)-[:EACH_TYPE {key: r.key, predicate: r.predicate, sab: 'TEXT'}]->(o)
