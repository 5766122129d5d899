// name: create_encounter_facts
// what: Structured facts about an encounter.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
// each: fact_type
UNWIND $rows AS r
MATCH (e:Encounter {key: r.owner})
MATCH (c:Concept {key: r.concept})
CREATE (e)-[f:EACH_TYPE {key: r.key}]->(c)
SET f += r.properties
