// name: create_encounters
// what: Encounters that are not there yet, with the edge to their patient.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (p:Patient {key: r.patient})
CREATE (e:Encounter {key: r.key, scope: r.scope, hadm_id: r.hadm_id, subject_id: r.subject_id})
CREATE (e)-[:OF_PATIENT]->(p)
