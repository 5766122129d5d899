// name: stream_isa_edges
// what: All ISA edges, for counting cycles.
// mode: read
// params: 
// scope: free - the vocabulary is public
MATCH (a:Concept)-[:ISA]->(b:Concept)
RETURN a.key AS a, b.key AS b
