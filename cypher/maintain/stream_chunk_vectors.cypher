// name: stream_chunk_vectors
// what: Vectors of all chunks, and which document a chunk belongs to.
// mode: read
// params: 
// scope: free - compared on the client; keys only leave it
MATCH (c:Chunk)
RETURN c.key AS key, c.document AS document, c.embedding AS embedding
