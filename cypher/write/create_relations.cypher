// name: create_relations
// what: Relations of a vocabulary that are not there yet, in their true direction.
// mode: write
// params: rows
// scope: free - keys hold the scope
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
CREATE (s)-[:EACH_TYPE {key: r.key, predicate: r.predicate, sab: r.sab,
                        from_release: r.from_release}]->(o)
