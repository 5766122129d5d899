// name: list_stale_documents
// what: Documents of a scope that were linked with another lexicon than the current one.
// mode: read
// params: scope, lexicon
// scope: bound
MATCH (d:Document {scope: $scope})
WHERE d.lexicon <> $lexicon OR d.lexicon IS NULL
RETURN d.key AS key, d.kind AS kind, d.tier AS tier ORDER BY key
