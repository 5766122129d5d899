// name: delete_encounter_facts
// what: Structured facts of encounters that come from documents.
// mode: write
// params: owners, documents
// scope: free - keys of one document only
MATCH (e:Encounter) WHERE e.key IN $owners
MATCH (e)-[f]->(:Concept) WHERE f.document IN $documents
DELETE f
