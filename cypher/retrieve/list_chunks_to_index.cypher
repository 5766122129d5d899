// name: list_chunks_to_index
// what: What the index takes of chunks.
// mode: read
// params: keys
// as_of: free - the index keeps the dates; every search of it compares them
// scope: free - the index keeps the scope of each chunk; every search of it binds the scope
UNWIND $keys AS key
MATCH (c:Chunk {key: key})
MATCH (c)-[:PART_OF]->(d:Document)
OPTIONAL MATCH (d)-[:OF_PATIENT]->(p:Patient)
RETURN c.key AS key, c.text AS text, c.embedding AS embedding, c.scope AS scope, c.tier AS tier, d.key AS document,
       d.title AS title, d.published AS published, d.effective_from AS effective_from, d.since AS since,
       p.subject_id AS patient
