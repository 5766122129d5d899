// name: list_orphan_patients
// what: Which of these patients no document and no encounter is about any more.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (p:Patient) WHERE p.key IN $keys
  AND NOT EXISTS { MATCH (p)<-[:OF_PATIENT]-() }
RETURN p.key AS key
