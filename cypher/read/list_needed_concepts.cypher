// name: list_needed_concepts
// what: Which of these concepts something other than the vocabulary points to.
// mode: read
// params: keys
// scope: free - by key; only the key itself is returned
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)<-[e]-(n) WHERE NOT n:Concept AND NOT n:Code
RETURN DISTINCT c.key AS key
