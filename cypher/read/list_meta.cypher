// name: list_meta
// what: Meta nodes by key.
// mode: read
// params: keys
// scope: free - by key; versions, counters and notices
MATCH (m:Meta) WHERE m.key IN $keys
RETURN m.key AS key, properties(m) AS properties
