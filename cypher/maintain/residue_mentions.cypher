// name: residue_mentions
// what: Mentions that a retraction should have removed.
// mode: read
// params: documents
// scope: free - counts, after a retraction
MATCH (n:Mention) WHERE n.document IN $documents
RETURN count(n) AS n
