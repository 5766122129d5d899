// name: residue_queue
// what: Derived work that still waits for removed documents.
// mode: read
// params: documents
// scope: free - counts, after a retraction
MATCH (n:Dirty) WHERE n.target IN $documents
RETURN count(n) AS n
