// name: forget_lexicons
// what: All documents are to be linked again, because what codes stand for has changed.
// mode: write
// params:
// scope: free - derived state of documents
MATCH (d:Document) WHERE d.lexicon <> ''
SET d.lexicon = ''
