// name: delete_relation_rows
// what: Relations of a vocabulary that an upgrade had created and that its rollback takes away.
// mode: write
// params: rows
// scope: free - keys hold the scope
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
MATCH (s)-[e:EACH_TYPE {key: r.key}]->(o)
DELETE e
