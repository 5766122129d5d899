// name: list_mentions_of_concepts
// what: The mentions that refer to given concepts, by scope: keys only, for what an upgrade of the vocabulary touches.
// mode: read
// params: keys
// scope: free - keys and scopes for the owner of the store, who upgrades it
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)<-[:REFERS_TO]-(m:Mention)
RETURN m.key AS key, m.scope AS scope
