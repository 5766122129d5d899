// name: check_keys
// what: Nodes without a key or a scope.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
// each: content_label
MATCH (n:EACH_TYPE) WHERE n.key IS NULL OR n.scope IS NULL
RETURN coalesce(n.key, '(none)') AS key LIMIT $limit
