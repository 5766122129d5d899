// name: delete_documents
// what: Documents, with their edges.
// mode: write
// params: documents
// scope: free - keys of one document only
MATCH (d:Document) WHERE d.key IN $documents
DETACH DELETE d
