// name: list_relations_from_concept
// what: The current relations that start at a concept, in their true direction.
// mode: read
// params: key, scopes, limit
// scope: bound
MATCH (c:Concept {key: $key}) WHERE c.scope IN $scopes
MATCH (c)-[e]->(o:Concept)
WHERE o.scope IN $scopes AND coalesce(e.to_release, '') = ''
RETURN e.key AS key, type(e) AS type, e.predicate AS predicate, e.sab AS sab, o.key AS other, o.name AS name
ORDER BY type, name, key
LIMIT $limit
