// name: create_patient_facts
// what: Structured facts about a patient outside any encounter.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
// each: fact_type
UNWIND $rows AS r
MATCH (e:Patient {key: r.owner})
MATCH (c:Concept {key: r.concept})
CREATE (e)-[f:EACH_TYPE {key: r.key}]->(c)
SET f += r.properties
