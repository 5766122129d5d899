// name: list_mentions_of_patients
// what: Mentions in a patient's documents with their assertion, place and concepts.
// mode: read
// params: patients, scopes, types, concepts
// as_of: free - a patient's clock is never compared with the date of publication
// scope: bound
UNWIND $patients AS patient
MATCH (p:Patient {key: patient}) WHERE p.scope IN $scopes
MATCH (d:Document)-[:OF_PATIENT]->(p)
WHERE d.scope IN $scopes AND d.retracted_at IS NULL AND d.superseded_by IS NULL
OPTIONAL MATCH (d)-[:DURING]->(e:Encounter)
MATCH (c:Chunk)-[:PART_OF]->(d)
MATCH (c)-[:HAS_MENTION]->(m:Mention) WHERE size($types) = 0 OR m.type IN $types
OPTIONAL MATCH (m)-[r:REFERS_TO]->(k:Concept)
WITH m, c, d, e, collect({key: k.key, name: k.name, score: r.score}) AS concepts
WHERE size($concepts) = 0 OR any(one IN concepts WHERE one.key IN $concepts)
RETURN m.key AS key, m.name AS name, m.type AS type, m.assertion AS assertion, m.experiencer AS experiencer,
       m.temporality AS temporality, m.spans AS spans, m.context AS context, c.key AS chunk, c.section AS section,
       d.key AS document, d.title AS title, d.scope AS scope, e.hadm_id AS hadm_id, concepts
