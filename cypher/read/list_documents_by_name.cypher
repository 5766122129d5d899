// name: list_documents_by_name
// what: Documents by key, record, DOI, PMID or PMCID.
// mode: read
// params: scopes, names
// scope: bound
// as_of: free - keys of what is to be retracted
MATCH (d:Document) WHERE d.key IN $names AND d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
UNION
MATCH (d:Document) WHERE d.record IN $names AND d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
UNION
MATCH (d:Document) WHERE d.id_doi IN $names AND d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
UNION
MATCH (d:Document) WHERE d.id_pmid IN $names AND d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
UNION
MATCH (d:Document) WHERE d.id_pmcid IN $names AND d.scope IN $scopes
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at
