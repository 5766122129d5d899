// name: create_mentions
// what: The mentions of a document, each with the edge from its chunk.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (c:Chunk {key: r.chunk})
CREATE (m:Mention {key: r.key, scope: r.scope, chunk: r.chunk, document: r.document, name: r.name, type: r.type,
                   assertion: r.assertion, experiencer: r.experiencer, temporality: r.temporality, spans: r.spans,
                   context: r.context, method: r.method, codes: r.codes})
CREATE (c)-[:HAS_MENTION]->(m)
