// name: list_codes_of_concepts
// what: Which codes stand for the given concepts.
// mode: read
// params: keys
// scope: free - the vocabulary is public, and keys hold the scope
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (k:Code)-[:CODE_OF]->(c)
RETURN c.key AS concept, k.key AS code
