// name: set_local_names
// what: The names of local concepts, derived from all that mention them.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (c:Concept {key: r.key})
SET c.name = r.name, c.search_text = r.name
