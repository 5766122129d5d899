// name: create_codes
// what: Codes of a vocabulary that are not there yet, each with its source and one concept it stands for.
// mode: write
// params: rows, scope
// scope: bound
UNWIND $rows AS r
MATCH (c:Concept {key: r.concept})
MATCH (s:Source {key: r.source})
CREATE (k:Code {key: r.key, scope: $scope, vocabulary: r.vocabulary, code: r.code, curie: r.curie,
                version: r.version, from_release: r.from_release, names: r.names, ttys: r.ttys, languages: r.languages,
                suppress: r.suppress, ranks: r.ranks, cuis: r.cuis, definition: r.definition,
                definitions: r.definitions, definition_cuis: r.definition_cuis, semantic_types: r.semantic_types,
                type_cuis: r.type_cuis, attributes: r.attributes})
CREATE (k)-[:CODE_OF]->(c)
CREATE (k)-[:FROM]->(s)
