// name: link_next_chunks
// what: Reading order of the chunks of one document.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (a:Chunk {key: r.from})
MATCH (b:Chunk {key: r.to})
CREATE (a)-[:NEXT]->(b)
