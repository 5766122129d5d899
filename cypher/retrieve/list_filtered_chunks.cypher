// name: list_filtered_chunks
// what: All chunks that a filter leaves, for an exact scan.
// mode: read
// params: scopes, tiers, patient, as_of
// scope: bound
MATCH (d:Document)
WHERE d.scope IN $scopes AND d.retracted_at IS NULL AND d.superseded_by IS NULL
OPTIONAL MATCH (d)-[:OF_PATIENT]->(p:Patient)
WITH d, p.subject_id AS subject_id
WHERE ($patient = '*' OR subject_id = $patient OR (subject_id IS NULL AND (d.tier <> 'user' OR $patient = '')))
  AND (size($tiers) = 0 OR d.tier IN $tiers)
  AND ($as_of = '' OR d.tier = 'user' OR d.published IS NULL
       OR substring(d.published, 0, size($as_of)) <= $as_of)
MATCH (c:Chunk)-[:PART_OF]->(d)
WHERE c.embedding IS NOT NULL
RETURN c.key AS key, c.text AS text, c.embedding AS embedding, c.scope AS scope, c.tier AS tier, d.key AS document,
       d.title AS title, d.published AS published, subject_id AS patient
