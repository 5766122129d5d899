// name: list_chunk_evidence
// what: Chunks as evidence, with their document, patient and the concepts they mention; the scope is bound again here.
// mode: read
// params: keys, scopes, as_of
// scope: bound
UNWIND $keys AS key
MATCH (c:Chunk {key: key}) WHERE c.scope IN $scopes
MATCH (c)-[:PART_OF]->(d:Document)
WHERE d.scope IN $scopes
  AND (($as_of = '' OR d.tier = 'user') AND d.retracted_at IS NULL AND d.superseded_by IS NULL
       OR $as_of <> '' AND d.tier <> 'user'
          AND substring(coalesce(d.retracted_at, '9999'), 0, size($as_of)) > $as_of
          AND substring(coalesce(d.effective_to, '9999'), 0, size($as_of)) > $as_of
          AND substring(coalesce(d.published, ''), 0, size($as_of)) <= $as_of
          AND substring(coalesce(d.effective_from, ''), 0, size($as_of)) <= $as_of
          AND substring(coalesce(d.since, ''), 0, size($as_of)) <= $as_of)
OPTIONAL MATCH (d)-[:OF_PATIENT]->(p:Patient)
OPTIONAL MATCH (c)-[:HAS_MENTION]->(m:Mention)
OPTIONAL MATCH (m)-[:REFERS_TO]->(k:Concept)
RETURN c.key AS key, c.text AS text, c.start AS start, c.end AS end, c.section AS section, c.tier AS tier,
       c.scope AS scope, d.key AS document, d.title AS title, d.published AS published,
       d.effective_from AS effective_from, d.effective_to AS effective_to, d.retracted_at AS retracted_at, p.subject_id AS patient, collect(DISTINCT k.key) AS concepts
