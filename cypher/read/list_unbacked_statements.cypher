// name: list_unbacked_statements
// what: Which of these statements have no evidence left.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (t:Statement) WHERE t.key IN $keys
  AND NOT EXISTS { MATCH (t)-[:EVIDENCED_BY]->() }
RETURN t.key AS key, t.subject AS subject, t.predicate AS predicate, t.object AS object, t.scope AS scope,
       t.polarity AS polarity
