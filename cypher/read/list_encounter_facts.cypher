// name: list_encounter_facts
// what: Structured facts of documents about encounters.
// mode: read
// params: owners, documents
// scope: free - by key, and keys hold the scope
MATCH (e:Encounter) WHERE e.key IN $owners
MATCH (e)-[f]->(c:Concept) WHERE f.document IN $documents
RETURN f.key AS key, type(f) AS kind, e.key AS owner, c.key AS concept, c.local AS local, properties(f) AS properties
