// name: delete_meta
// what: Meta nodes that say nothing any more.
// mode: write
// params: keys
// scope: free - by key; versions, counters and notices
MATCH (m:Meta) WHERE m.key IN $keys
DETACH DELETE m
