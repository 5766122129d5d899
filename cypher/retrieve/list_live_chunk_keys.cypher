// name: list_live_chunk_keys
// what: The chunks that searches may find: with a vector, of a document that is neither retracted nor superseded.
// mode: read
// params: -
// scope: free - keys only, for the index; every search of it binds the scope
MATCH (d:Document) WHERE d.retracted_at IS NULL AND d.superseded_by IS NULL
MATCH (c:Chunk)-[:PART_OF]->(d) WHERE c.embedding IS NOT NULL
RETURN c.key AS key
