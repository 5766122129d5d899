// name: mark_documents
// what: Documents as retracted, or as not: they stay and are out of answers.
// mode: write
// params: documents, values
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
SET d += $values
