// name: put_meta
// what: A Meta node: created or brought up to date.
// mode: write
// params: key, properties
// scope: free - versions and counters
MERGE (m:Meta {key: $key})
SET m += $properties
