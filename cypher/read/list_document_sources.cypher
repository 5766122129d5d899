// name: list_document_sources
// what: The sources that documents come from, with what the documents say of them.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
MATCH (d)-[f:FROM]->(s:Source)
RETURN DISTINCT s.key AS source, properties(f) AS values
