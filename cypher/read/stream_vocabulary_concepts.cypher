// name: stream_vocabulary_concepts
// what: The keys of all concepts with a CUI, live or retired.
// mode: read
// params: scope
// scope: bound
MATCH (c:Concept) WHERE c.scope = $scope AND c.cui IS NOT NULL
RETURN c.key AS key
