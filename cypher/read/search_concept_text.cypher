// name: search_concept_text
// what: Public concepts with a name like this one by the full-text index; scored again by the caller.
// mode: read
// params: query, limit
// scope: free - public concepts only
CALL db.index.fulltext.queryNodes('concept_text', $query) YIELD node, score
WITH node AS c, score WHERE c.scope = 'public' AND c.local IS NULL
OPTIONAL MATCH (k:Code)-[:CODE_OF]->(c) WHERE coalesce(k.to_release, '') = ''
WITH c, score, collect(k.names) AS names
RETURN c.key AS key, c.name AS name, c.semantic_types AS semantic_types, names
ORDER BY score DESC, key
LIMIT $limit
