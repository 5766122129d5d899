// name: list_documents_of_record
// what: The documents of one record of a source in a scope, with their revision.
// mode: read
// params: scope, source, record
// scope: bound
MATCH (d:Document {record: $record})
WHERE d.scope = $scope AND d.source = $source
RETURN d.key AS key, d.revision AS revision
