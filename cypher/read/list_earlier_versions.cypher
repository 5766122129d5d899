// name: list_earlier_versions
// what: Other current documents of the same record, or of the same file where a record has no name of its own.
// mode: read
// params: scope, source, record, path, file, key
// scope: bound
// as_of: free - keys and places of what ingestion supersedes
MATCH (d:Document {record: $record})
WHERE d.scope = $scope AND d.source = $source AND d.key <> $key AND d.superseded_by IS NULL
RETURN d.key AS key, d.revision AS revision, d.record AS record, d.kind AS kind, d.scope AS scope, d.source AS source,
       coalesce(d.paths, [d.path]) AS paths, d.files AS files, d.published AS published,
       d.effective_from AS effective_from
UNION
MATCH (d:Document {path: $path})
WHERE d.scope = $scope AND d.source = $source AND d.key <> $key AND d.superseded_by IS NULL AND $path <> ''
RETURN d.key AS key, d.revision AS revision, d.record AS record, d.kind AS kind, d.scope AS scope, d.source AS source,
       coalesce(d.paths, [d.path]) AS paths, d.files AS files, d.published AS published,
       d.effective_from AS effective_from
UNION
MATCH (m:Meta {key: $file})
MATCH (d:Document {key: m.document})
WHERE d.scope = $scope AND d.source = $source AND d.key <> $key AND d.superseded_by IS NULL AND $path <> ''
RETURN d.key AS key, d.revision AS revision, d.record AS record, d.kind AS kind, d.scope AS scope, d.source AS source,
       coalesce(d.paths, [d.path]) AS paths, d.files AS files, d.published AS published,
       d.effective_from AS effective_from
