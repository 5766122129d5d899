// name: list_isa_children
// what: Concepts one step below others.
// mode: read
// params: keys
// scope: free - the vocabulary is public; private relations are never materialised
MATCH (p:Concept) WHERE p.key IN $keys
MATCH (c:Concept)-[e:ISA]->(p) WHERE coalesce(e.to_release, '') = ''
RETURN DISTINCT c.key AS key ORDER BY key
