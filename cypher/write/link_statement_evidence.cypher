// name: link_statement_evidence
// what: The spans of a document that back statements.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (c:Chunk {key: r.chunk})
MATCH (t:Statement {key: r.statement})
CREATE (t)-[:EVIDENCED_BY {key: r.key, start: r.start, end: r.end, certainty: r.certainty, method: r.method,
                           said: r.said, run: r.run}]->(c)
