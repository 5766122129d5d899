// name: residue_chunks
// what: Chunks that a retraction should have removed.
// mode: read
// params: documents
// scope: free - counts, after a retraction
MATCH (n:Chunk) WHERE n.document IN $documents
RETURN count(n) AS n
