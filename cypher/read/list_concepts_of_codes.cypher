// name: list_concepts_of_codes
// what: Concepts that public codes stand for: by live codes first, then by those that a later release has not any more.
// mode: read
// params: curies
// scope: free - the vocabulary is public
MATCH (k:Code) WHERE k.curie IN $curies
MATCH (k)-[:CODE_OF]->(c:Concept)
RETURN DISTINCT k.curie AS curie, coalesce(k.to_release, '') <> '' AS ended, c.key AS concept
ORDER BY curie, ended, concept
