// name: list_document_local_concepts
// what: Local concepts that documents mention.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (m:Mention) WHERE m.document IN $documents
MATCH (m)-[:REFERS_TO]->(c:Concept) WHERE c.local = true
RETURN DISTINCT c.key AS key
