// name: list_facts_of_concepts
// what: The structured facts that lead to given concepts, by scope: keys only, for what an upgrade touches.
// mode: read
// params: keys
// scope: free - keys and scopes for the owner of the store, who upgrades it
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)<-[e]-(o) WHERE e.row IS NOT NULL AND e.document IS NOT NULL
RETURN e.key AS key, o.scope AS scope
