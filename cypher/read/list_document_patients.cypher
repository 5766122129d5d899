// name: list_document_patients
// what: Which patient documents are about, by the number of the source.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
MATCH (d)-[:OF_PATIENT]->(p:Patient)
RETURN d.key AS document, p.subject_id AS subject_id
