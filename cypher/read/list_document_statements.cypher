// name: list_document_statements
// what: Statements that the chunks of documents back.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (c:Chunk) WHERE c.document IN $documents
MATCH (c)<-[:EVIDENCED_BY]-(t:Statement)
RETURN DISTINCT t.key AS key, t.subject AS subject, t.object AS object
