// name: list_facts_of_encounters
// what: Structured facts of a patient's encounters, from documents that are neither retracted nor superseded.
// mode: read
// params: patients, scopes, kinds
// as_of: free - a patient's clock is never compared with the date of publication
// scope: bound
UNWIND $patients AS patient
MATCH (p:Patient {key: patient}) WHERE p.scope IN $scopes
MATCH (e:Encounter)-[:OF_PATIENT]->(p)
MATCH (e)-[f]->(c:Concept) WHERE type(f) IN $kinds
MATCH (d:Document {key: f.document})
MATCH (d)-[:OF_PATIENT]->(p)
WHERE d.scope IN $scopes AND d.retracted_at IS NULL AND d.superseded_by IS NULL
RETURN f.key AS key, type(f) AS kind, properties(f) AS properties, c.key AS concept, c.name AS name,
       e.hadm_id AS hadm_id, e.admitted AS admitted, e.discharged AS discharged, e.scope AS scope
