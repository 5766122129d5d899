// name: list_patient_support
// what: What the documents of patients say of them, and what the patients have now.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (n:Patient) WHERE n.key IN $keys
MATCH (n)<-[f:OF_PATIENT]-(:Document)
RETURN n.key AS key, properties(n) AS properties, collect(properties(f)) AS support
