// name: list_orphan_patients
// what: Which of these patients no document and no encounter is about any more.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (p:Patient) WHERE p.key IN $keys
OPTIONAL MATCH (p)<-[f:OF_PATIENT]-()
WITH p, count(f) AS support WHERE support = 0
RETURN p.key AS key
