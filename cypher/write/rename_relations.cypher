// name: rename_relations
// what: Give ended relations the key of what they were up to a release, and back.
// mode: write
// params: rows
// scope: free - keys hold the scope
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
MATCH (s)-[e:EACH_TYPE {key: r.key}]->(o)
SET e.key = r.other
