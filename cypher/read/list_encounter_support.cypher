// name: list_encounter_support
// what: What the documents of encounters say of them, and what the encounters have now.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (n:Encounter) WHERE n.key IN $keys
MATCH (n)<-[f:DURING]-(:Document)
RETURN n.key AS key, properties(n) AS properties, collect(properties(f)) AS support
