// name: update_relations
// what: From which release on relations are there, and up to which (null: they are live).
// mode: write
// params: rows
// scope: free - keys hold the scope
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
MATCH (s)-[e:EACH_TYPE {key: r.key}]->(o)
SET e.from_release = r.from_release, e.to_release = r.to_release
