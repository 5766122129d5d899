// name: put_places
// what: Places of files whose text lies at several: which document that is.
// mode: write
// params: rows
// scope: free - by key, and keys hold the scope
UNWIND $rows AS r
MERGE (m:Meta {key: r.key})
SET m.document = r.document, m.scope = r.scope
