// name: list_facts_of_patients
// what: Structured facts of a patient outside any encounter, from documents neither retracted nor superseded.
// mode: read
// params: patients, scopes, kinds
// as_of: free - a patient's clock is never compared with the date of publication
// scope: bound
UNWIND $patients AS patient
MATCH (p:Patient {key: patient}) WHERE p.scope IN $scopes
MATCH (p)-[f]->(c:Concept) WHERE type(f) IN $kinds
MATCH (d:Document {key: f.document})
WHERE d.scope IN $scopes AND d.retracted_at IS NULL AND d.superseded_by IS NULL
RETURN f.key AS key, type(f) AS kind, properties(f) AS properties, c.key AS concept, c.name AS name,
       null AS hadm_id, null AS admitted, null AS discharged, p.scope AS scope
