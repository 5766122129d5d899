// name: delete_files
// what: The places of documents' files, where a document had several.
// mode: write
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
UNWIND coalesce(d.files, []) AS file
MATCH (m:Meta {key: file})
DELETE m
