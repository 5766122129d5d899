// name: create_chunks
// what: The chunks of a new document, each with the edge to it.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (d:Document {key: r.document})
CREATE (c:Chunk {key: r.key, scope: r.scope, document: r.document, start: r.start, end: r.end, ordinal: r.ordinal,
                 section: r.section, text: r.text, tokens: r.tokens, tier: r.tier})
CREATE (c)-[:PART_OF]->(d)
