// name: fingerprint_nodes
// what: All nodes of one label, for the fingerprint.
// mode: read
// params: 
// scope: free - hashes only leave the client
// each: content_label
MATCH (n:EACH_TYPE)
RETURN n.key AS key, properties(n) AS properties
