// name: list_statement_words
// what: What statements are worded with: the names that their two concepts have now.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (t:Statement) WHERE t.key IN $keys
MATCH (t)-[:SUBJECT]->(s:Concept)
MATCH (t)-[:OBJECT]->(o:Concept)
RETURN t.key AS key, t.predicate AS predicate, t.polarity AS polarity, t.text AS text,
       s.name AS subject, o.name AS object
