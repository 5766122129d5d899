// name: set_concept_properties
// what: Some properties of concepts; null takes one away.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (c:Concept {key: r.key})
SET c += r.properties
