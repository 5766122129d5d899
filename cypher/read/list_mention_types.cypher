// name: list_mention_types
// what: Under which types texts mention these concepts.
// mode: read
// params: keys
// scope: free - by key, and keys of local concepts hold the scope
MATCH (c:Concept) WHERE c.key IN $keys
MATCH (m:Mention)-[:REFERS_TO]->(c)
RETURN DISTINCT c.key AS key, m.type AS type
