// name: list_orphan_sources
// what: Of these sources, those that nothing comes from any more.
// mode: read
// params: keys
// scope: free - sources are public
MATCH (s:Source) WHERE s.key IN $keys
  AND NOT EXISTS { MATCH (s)<-[:FROM]-() }
RETURN s.key AS key
