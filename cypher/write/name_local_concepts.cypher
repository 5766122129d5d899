// name: name_local_concepts
// what: Titles of local concepts that are so far known by their code alone.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (c:Concept {key: r.key})
WHERE c.local = true AND c.name = r.code
SET c.name = r.name, c.search_text = r.name
