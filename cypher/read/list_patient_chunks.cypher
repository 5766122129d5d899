// name: list_patient_chunks
// what: Chunks of the notes of patients, in reading order.
// mode: read
// params: patients, scopes
// as_of: free - a patient's clock is never compared with the date of publication
// scope: bound
MATCH (p:Patient) WHERE p.key IN $patients AND p.scope IN $scopes
MATCH (p)<-[:OF_PATIENT]-(d:Document)<-[:PART_OF]-(c:Chunk)
WHERE d.scope IN $scopes AND d.kind <> 'table' AND d.retracted_at IS NULL AND d.superseded_by IS NULL
RETURN c.key AS key, c.section AS section, d.title AS title, c.ordinal AS ordinal
ORDER BY title, ordinal
