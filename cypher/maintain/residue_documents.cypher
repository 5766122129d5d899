// name: residue_documents
// what: Documents that a retraction should have removed.
// mode: read
// params: documents
// scope: free - counts, after a retraction
MATCH (n:Document) WHERE n.key IN $documents
RETURN count(n) AS n
