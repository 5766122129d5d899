// name: list_given_names_in
// what: Local concepts with a code that documents mention: their name, and what they are called there.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (m:Mention) WHERE m.document IN $documents AND m.method = 'given'
MATCH (m)-[:REFERS_TO]->(c:Concept) WHERE c.local = true AND c.code IS NOT NULL
RETURN DISTINCT c.key AS key, c.name AS now, m.name AS said ORDER BY key, said
