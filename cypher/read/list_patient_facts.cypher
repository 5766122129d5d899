// name: list_patient_facts
// what: Structured facts of documents about patients.
// mode: read
// params: owners, documents
// scope: free - by key, and keys hold the scope
MATCH (e:Patient) WHERE e.key IN $owners
MATCH (e)-[f]->(c:Concept) WHERE f.document IN $documents
RETURN f.key AS key, type(f) AS kind, e.key AS owner, c.key AS concept, c.local AS local, properties(f) AS properties
