// name: delete_mentions
// what: Mentions of documents, with their edges.
// mode: write
// params: documents
// scope: free - keys of one document only
MATCH (m:Mention) WHERE m.document IN $documents
DETACH DELETE m
