// name: residue_pages
// what: Pages that a retraction should have removed.
// mode: read
// params: documents
// scope: free - counts, after a retraction
MATCH (n:Page) WHERE n.document IN $documents
RETURN count(n) AS n
