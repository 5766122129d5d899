// name: delete_evidence
// what: Evidence edges that end at the chunks of documents.
// mode: write
// params: documents
// scope: free - keys of one document only
MATCH (c:Chunk) WHERE c.document IN $documents
MATCH (c)<-[e:EVIDENCED_BY]-(:Statement)
DELETE e
