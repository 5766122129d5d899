// name: set_document_lexicon
// what: Which lexicon documents were linked with.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (d:Document {key: r.key})
SET d.lexicon = r.lexicon
