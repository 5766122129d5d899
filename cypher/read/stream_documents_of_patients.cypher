// name: stream_documents_of_patients
// what: The documents of patients.
// mode: read
// params: scopes, patients
// scope: bound
// as_of: free - keys of what is to be retracted
MATCH (p:Patient) WHERE p.key IN $patients
MATCH (p)<-[:OF_PATIENT]-(d:Document) WHERE d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
