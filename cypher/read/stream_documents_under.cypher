// name: stream_documents_under
// what: Documents of which a file lies at a place or below it, with the run that brought them.
// mode: read
// params: scopes, path, below
// scope: bound
// as_of: free - keys and places of what is to be read again
MATCH (d:Document) WHERE d.scope IN $scopes AND d.superseded_by IS NULL
  AND any(one IN coalesce(d.paths, [d.path]) WHERE one = $path OR one STARTS WITH $below)
OPTIONAL MATCH (r:Run {key: d.run})
OPTIONAL MATCH (d)-[:OF_PATIENT]->(p:Patient)
RETURN d.key AS key, d.scope AS scope, d.tier AS tier, coalesce(d.paths, [d.path]) AS paths, r.command AS command,
       p.subject_id AS patient
