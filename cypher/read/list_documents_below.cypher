// name: list_documents_below
// what: The documents of a source whose paths begin like this: the blocks of one file.
// mode: read
// params: scope, source, prefix
// scope: bound
MATCH (d:Document {scope: $scope})
WHERE d.source = $source AND d.path STARTS WITH $prefix AND d.superseded_by IS NULL
RETURN d.key AS key, d.record AS record ORDER BY key
