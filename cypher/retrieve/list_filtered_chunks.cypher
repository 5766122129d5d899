// name: list_filtered_chunks
// what: All chunks that a filter leaves, for an exact scan.
// mode: read
// params: scopes, tiers, patient, as_of
// scope: bound
MATCH (d:Document)
WHERE d.scope IN $scopes
  AND (($as_of = '' OR d.tier = 'user') AND d.retracted_at IS NULL AND d.superseded_by IS NULL
       OR $as_of <> '' AND d.tier <> 'user'
          AND substring(coalesce(d.retracted_at, '9999'), 0, size($as_of)) > $as_of
          AND substring(coalesce(d.effective_to, '9999'), 0, size($as_of)) > $as_of
          AND substring(coalesce(d.published, ''), 0, size($as_of)) <= $as_of
          AND substring(coalesce(d.effective_from, ''), 0, size($as_of)) <= $as_of
          AND substring(coalesce(d.since, ''), 0, size($as_of)) <= $as_of)
OPTIONAL MATCH (d)-[:OF_PATIENT]->(p:Patient)
WITH d, p.subject_id AS subject_id
WHERE ($patient = '*' OR subject_id = $patient OR (subject_id IS NULL AND (d.tier <> 'user' OR $patient = '')))
  AND (size($tiers) = 0 OR d.tier IN $tiers)
MATCH (c:Chunk)-[:PART_OF]->(d)
WHERE c.embedding IS NOT NULL
RETURN c.key AS key, c.text AS text, c.embedding AS embedding, c.scope AS scope, c.tier AS tier, d.key AS document,
       d.title AS title, d.published AS published, d.effective_from AS effective_from,
       d.since AS since, subject_id AS patient
