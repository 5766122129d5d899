// name: list_orphan_encounters
// what: Which of these encounters no document is about any more.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (e:Encounter) WHERE e.key IN $keys
  AND NOT EXISTS { MATCH (e)<-[:DURING]-() }
RETURN e.key AS key
