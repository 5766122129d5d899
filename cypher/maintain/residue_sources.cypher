// name: residue_sources
// what: Sources that nothing comes from any more.
// mode: read
// params: sources
// scope: free - counts, after a retraction
MATCH (s:Source) WHERE s.key IN $sources AND NOT EXISTS { MATCH (s)<-[:FROM]-() }
RETURN count(s) AS n
