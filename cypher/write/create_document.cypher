// name: create_document
// what: The document node itself.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
CREATE (d:Document {key: r.key, scope: r.scope})
SET d += r.properties
