// name: list_concept_cards
// what: Concepts with their live codes: names, definitions and who defines.
// mode: read
// params: keys, scopes
// scope: bound
UNWIND $keys AS key
MATCH (c:Concept {key: key}) WHERE c.scope IN $scopes
OPTIONAL MATCH (k:Code)-[:CODE_OF]->(c) WHERE k.scope IN $scopes AND coalesce(k.to_release, '') = ''
RETURN c.key AS key, c.scope AS scope, c.name AS name, c.semantic_types AS semantic_types, c.definition AS definition,
       collect(CASE WHEN k IS NULL THEN null ELSE {key: k.key, vocabulary: k.vocabulary, curie: k.curie, names: k.names,
               definition: k.definition, definitions: k.definitions} END) AS codes
