// name: set_document_values
// what: Derived or renewed properties of documents; null takes one away.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (d:Document {key: r.key})
SET d += r.properties
