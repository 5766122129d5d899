// name: list_patients_by_key
// what: Patients that are there.
// mode: read
// params: keys, scopes
// as_of: free - a patient's clock is never compared with the date of publication
// scope: bound
UNWIND $keys AS key
MATCH (p:Patient {key: key}) WHERE p.scope IN $scopes
RETURN p.key AS key, p.scope AS scope, p.subject_id AS subject_id
