// name: list_document_sources
// what: The sources that documents come from.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
MATCH (d)-[:FROM]->(s:Source)
RETURN DISTINCT s.key AS source
