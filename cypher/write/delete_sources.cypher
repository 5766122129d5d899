// name: delete_sources
// what: Sources that nothing comes from any more.
// mode: write
// params: keys
// scope: free - keys of one document only
MATCH (s:Source) WHERE s.key IN $keys
DETACH DELETE s
