// name: update_relations
// what: The earliest release of relations that an older release has, too.
// mode: write
// params: rows
// scope: free - keys hold the scope
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
MATCH (s)-[e:EACH_TYPE {key: r.key}]->(o)
SET e.from_release = r.from_release
