// name: list_existing
// what: Which keys of one label are there already.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
// each: node_label
MATCH (n:EACH_TYPE) WHERE n.key IN $keys
RETURN n.key AS key
