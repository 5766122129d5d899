// name: list_concepts_of_codes
// what: Concepts that public codes stand for.
// mode: read
// params: curies
// scope: free - the vocabulary is public
MATCH (k:Code) WHERE k.curie IN $curies
MATCH (k)-[:CODE_OF]->(c:Concept)
RETURN DISTINCT k.curie AS curie, c.key AS concept ORDER BY curie, concept
