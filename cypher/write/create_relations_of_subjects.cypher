// name: create_relations_of_subjects
// what: Relations of a vocabulary that are not there yet, in their true direction, grouped by where they start.
// mode: write
// params: rows
// scope: free - keys hold the scope
// each: relation_type
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
UNWIND r.relations AS e
MATCH (o:Concept {key: e.object})
CREATE (s)-[:EACH_TYPE {key: e.key, predicate: e.predicate, sab: e.sab, from_release: e.from_release}]->(o)
