// name: link_document_source
// what: A document comes from its source.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (d:Document {key: r.document})
MATCH (s:Source {key: r.source})
CREATE (d)-[f:FROM]->(s)
SET f += r.properties
