// name: stream_isa_edges
// what: All live ISA edges, for counting cycles.
// mode: read
// params: 
// scope: free - the vocabulary is public
MATCH (a:Concept)-[e:ISA]->(b:Concept) WHERE coalesce(e.to_release, '') = ''
RETURN a.key AS a, b.key AS b
