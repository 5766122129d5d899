// name: list_concepts_by_key
// what: The derived properties of those concepts that are there.
// mode: read
// params: keys
// scope: free - the vocabulary is public, and keys hold the scope
UNWIND $keys AS key
MATCH (c:Concept {key: key})
RETURN c.key AS key, c.name AS name, c.semantic_types AS semantic_types, c.definition AS definition,
       c.search_text AS search_text
