// name: update_concepts
// what: What concepts derive from their codes, where the codes have changed.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (c:Concept {key: r.key})
SET c.name = r.name, c.semantic_types = r.semantic_types, c.definition = r.definition, c.search_text = r.search_text
