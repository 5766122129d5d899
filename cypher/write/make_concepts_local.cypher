// name: make_concepts_local
// what: Concepts that no vocabulary has any more, until linking again moves what still refers to them.
// mode: write
// params: keys
// scope: free - by key
UNWIND $keys AS key
MATCH (c:Concept {key: key})
SET c.local = true, c.search_text = ''
