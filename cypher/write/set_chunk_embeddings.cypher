// name: set_chunk_embeddings
// what: Vectors of chunks.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (c:Chunk {key: r.key})
SET c.embedding = r.embedding
