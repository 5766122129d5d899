// name: fingerprint_edges
// what: All relationships of one type, for the fingerprint.
// mode: read
// params: 
// scope: free - hashes only leave the client
// each: content_relationship
MATCH (a)-[e:EACH_TYPE]->(b)
RETURN a.key AS a, b.key AS b, properties(e) AS properties
