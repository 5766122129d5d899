// name: residue_relations
// what: Relations from text whose statement is gone.
// mode: read
// params: relations
// scope: free - counts, after a retraction
UNWIND $relations AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
MATCH (s)-[e {key: r.key}]->(o)
WHERE NOT EXISTS { MATCH (t:Statement {key: r.key}) }
RETURN count(e) AS n
