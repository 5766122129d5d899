// name: list_codes_of_sources
// what: Some codes that come from sources, with the concepts they stand for.
// mode: read
// params: keys, limit
// scope: free - the vocabulary is public
MATCH (s:Source) WHERE s.key IN $keys
MATCH (s)<-[:FROM]-(k:Code)
WITH k ORDER BY k.key LIMIT $limit
OPTIONAL MATCH (k)-[:CODE_OF]->(c:Concept)
RETURN k.key AS key, collect(c.key) AS concepts
