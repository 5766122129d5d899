// name: list_statements_of_concepts
// what: The statements about given concepts, by scope: keys only, for what an upgrade of the vocabulary touches.
// mode: read
// params: keys
// scope: free - keys and scopes for the owner of the store, who upgrades it
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)<-[:SUBJECT|OBJECT]-(t:Statement)
RETURN DISTINCT t.key AS key, t.scope AS scope
