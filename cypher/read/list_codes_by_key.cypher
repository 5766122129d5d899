// name: list_codes_by_key
// what: The content of those codes that are there, with the concepts they are linked to.
// mode: read
// params: keys
// scope: free - the vocabulary is public, and keys hold the scope
UNWIND $keys AS key
MATCH (k:Code {key: key})
OPTIONAL MATCH (k)-[:CODE_OF]->(c:Concept)
WITH k, collect(c.key) AS concepts
RETURN properties(k) AS properties, concepts
