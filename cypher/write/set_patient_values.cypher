// name: set_patient_values
// what: What patients derive from their documents; a null takes a value away.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (n:Patient {key: r.key})
SET n += r.properties
