// name: link_document_patient
// what: A document is about a patient.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (d:Document {key: r.document})
MATCH (p:Patient {key: r.patient})
CREATE (d)-[f:OF_PATIENT]->(p)
SET f += r.properties
