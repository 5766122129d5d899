// name: list_local_concepts
// what: Concepts that no vocabulary has, a page at a time by key.
// mode: read
// params: scopes, after, limit
// scope: bound
MATCH (c:Concept) WHERE c.local = true AND c.scope IN $scopes AND c.key > $after
RETURN c.key AS key, c.name AS name, c.scope AS scope, c.semantic_types AS semantic_types, c.code AS code
ORDER BY key LIMIT $limit
