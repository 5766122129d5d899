// name: stream_documents_of_source
// what: The documents of a source, by its name or key.
// mode: read
// params: scopes, source
// scope: bound
// as_of: free - keys of what is to be retracted
MATCH (d:Document {source: $source}) WHERE d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
UNION
MATCH (s:Source {key: $source})
MATCH (s)<-[:FROM]-(d:Document) WHERE d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
