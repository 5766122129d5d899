// name: list_given_names_of
// what: What local concepts with a code are called by all that mention them.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (c:Concept) WHERE c.key IN $keys
MATCH (m:Mention)-[:REFERS_TO]->(c) WHERE m.method = 'given'
RETURN DISTINCT c.key AS key, c.name AS now, m.name AS said ORDER BY key, said
