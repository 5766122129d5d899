// name: update_patients
// what: What the patients table says of patients; an absent value leaves what is there.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (p:Patient {key: r.key})
SET p += r.properties
