// name: create_concepts
// what: Concepts of a vocabulary that are not there yet.
// mode: write
// params: rows, scope
// scope: bound
UNWIND $rows AS r
CREATE (c:Concept {key: r.key, scope: $scope, cui: r.key, name: r.name, semantic_types: r.semantic_types,
                   definition: r.definition, search_text: r.search_text})
