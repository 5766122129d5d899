// name: delete_patients
// what: Patients that no document is about any more.
// mode: write
// params: keys
// scope: free - keys of one document only
MATCH (p:Patient) WHERE p.key IN $keys
DETACH DELETE p
