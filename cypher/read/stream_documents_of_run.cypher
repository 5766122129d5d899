// name: stream_documents_of_run
// what: The documents that a run brought.
// mode: read
// params: scopes, run
// scope: bound
// as_of: free - keys of what is to be retracted
MATCH (d:Document {run: $run}) WHERE d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
