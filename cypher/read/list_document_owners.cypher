// name: list_document_owners
// what: Patients and encounters that documents are about, with what the documents say of them.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
OPTIONAL MATCH (d)-[p_says:OF_PATIENT]->(p:Patient)
OPTIONAL MATCH (d)-[e_says:DURING]->(e:Encounter)
RETURN d.key AS document, p.key AS patient, e.key AS encounter, properties(p_says) AS patient_values,
       properties(e_says) AS encounter_values
