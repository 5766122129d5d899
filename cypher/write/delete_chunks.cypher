// name: delete_chunks
// what: Chunks of documents, with their edges.
// mode: write
// params: documents
// scope: free - keys of one document only
MATCH (c:Chunk) WHERE c.document IN $documents
DETACH DELETE c
