// name: list_earlier_versions
// what: Other documents of the same record, or of the same file where a record has no name of its own.
// mode: read
// params: scope, source, record, path, key
// scope: bound
MATCH (d:Document {record: $record})
WHERE d.scope = $scope AND d.source = $source AND d.key <> $key
RETURN d.key AS key, d.revision AS revision
UNION
MATCH (d:Document {path: $path})
WHERE d.scope = $scope AND d.source = $source AND d.key <> $key AND $path <> ''
RETURN d.key AS key, d.revision AS revision
