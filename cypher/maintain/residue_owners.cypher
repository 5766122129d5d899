// name: residue_owners
// what: Patients and encounters that no document is about any more.
// mode: read
// params: owners
// scope: free - counts, after a retraction
MATCH (o:Encounter) WHERE o.key IN $owners AND NOT EXISTS { MATCH (o)<-[:DURING]-() }
RETURN count(o) AS n
UNION ALL
MATCH (o:Patient) WHERE o.key IN $owners AND NOT EXISTS { MATCH (o)<-[:OF_PATIENT]-() }
RETURN count(o) AS n
