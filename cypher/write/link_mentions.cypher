// name: link_mentions
// what: What the mentions of a document refer to.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (m:Mention {key: r.mention})
MATCH (c:Concept {key: r.concept})
CREATE (m)-[:REFERS_TO {score: r.score, method: r.method}]->(c)
