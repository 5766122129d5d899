// name: delete_patient_facts
// what: Structured facts of patients that come from documents.
// mode: write
// params: owners, documents
// scope: free - keys of one document only
MATCH (e:Patient) WHERE e.key IN $owners
MATCH (e)-[f]->(:Concept) WHERE f.document IN $documents
DELETE f
