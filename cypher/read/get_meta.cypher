// name: get_meta
// what: One Meta node.
// mode: read
// params: key
// scope: free - versions and counters
MATCH (m:Meta {key: $key})
RETURN properties(m) AS properties
