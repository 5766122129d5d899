// name: stream_export_nodes
// what: All nodes of one label in the given scopes, to export them.
// mode: read
// params: scopes
// scope: bound
// each: node_label
MATCH (n:EACH_TYPE) WHERE n.scope IN $scopes
RETURN properties(n) AS properties
