// name: record_migration
// what: Record a migration that has run.
// mode: write
// params: key, name, checksum
// scope: free - the schema has no content
MERGE (m:Meta {key: $key})
ON CREATE SET m.scope = 'public', m.name = $name, m.checksum = $checksum
