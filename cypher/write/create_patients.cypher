// name: create_patients
// what: Patients that are not there yet.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
CREATE (p:Patient {key: r.key, scope: r.scope, subject_id: r.subject_id})
