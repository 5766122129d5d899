// name: set_document_paths
// what: Where the files of documents lie now; their content is what it was.
// mode: write
// params: rows
// scope: free - by key, and keys hold the scope
UNWIND $rows AS r
MATCH (d:Document {key: r.key})
SET d.path = r.path
