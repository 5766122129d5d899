// name: list_orphan_sources
// what: Which of these sources nothing comes from any more.
// mode: read
// params: keys
// scope: free - sources are public
MATCH (s:Source) WHERE s.key IN $keys
OPTIONAL MATCH (s)<-[f:FROM]-()
WITH s, count(f) AS support WHERE support = 0
RETURN s.key AS key
