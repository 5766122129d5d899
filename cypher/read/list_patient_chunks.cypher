// name: list_patient_chunks
// what: Chunks of the notes of patients, in reading order.
// mode: read
// params: patients, scopes
// scope: bound
MATCH (p:Patient) WHERE p.key IN $patients AND p.scope IN $scopes
MATCH (p)<-[:OF_PATIENT]-(d:Document)<-[:PART_OF]-(c:Chunk)
WHERE d.scope IN $scopes
RETURN c.key AS key, c.section AS section, d.title AS title, c.ordinal AS ordinal
ORDER BY title, ordinal
