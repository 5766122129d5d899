// name: residue_facts
// what: Structured facts that removed documents brought.
// mode: read
// params: documents, owners
// scope: free - counts, after a retraction
MATCH (o:Encounter) WHERE o.key IN $owners
MATCH (o)-[f]->(:Concept) WHERE f.document IN $documents
RETURN count(f) AS n
UNION ALL
MATCH (o:Patient) WHERE o.key IN $owners
MATCH (o)-[f]->(:Concept) WHERE f.document IN $documents
RETURN count(f) AS n
