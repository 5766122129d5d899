// name: list_document_owners
// what: Patients and encounters that documents are about.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
OPTIONAL MATCH (d)-[:OF_PATIENT]->(p:Patient)
OPTIONAL MATCH (d)-[:DURING]->(e:Encounter)
RETURN d.key AS document, p.key AS patient, e.key AS encounter
