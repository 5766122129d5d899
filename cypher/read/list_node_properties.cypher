// name: list_node_properties
// what: The properties of those nodes of a label that are there.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
// each: content_label
MATCH (n:EACH_TYPE) WHERE n.key IN $keys
RETURN n.key AS key, properties(n) AS properties
