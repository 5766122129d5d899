// name: list_document_marks
// what: What the sources of documents themselves mark in their text.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
RETURN d.key AS key, d.given AS given
