// name: list_unsupported_concepts
// what: Which of these local concepts nothing points to any more.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (c:Concept) WHERE c.key IN $keys AND c.local = true
  AND NOT EXISTS { MATCH (c)<-[e]-() WHERE type(e) <> 'SAME_AS' }
RETURN c.key AS key
