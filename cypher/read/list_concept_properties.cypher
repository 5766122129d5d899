// name: list_concept_properties
// what: All properties of those concepts that are there.
// mode: read
// params: keys
// scope: free - the vocabulary is public, and keys hold the scope
UNWIND $keys AS key
MATCH (c:Concept {key: key})
RETURN properties(c) AS properties
