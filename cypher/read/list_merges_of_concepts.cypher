// name: list_merges_of_concepts
// what: Proposals and decisions that start at these local concepts.
// mode: read
// params: keys
// scope: free - by key, and keys of local concepts hold the scope
MATCH (a:Concept) WHERE a.key IN $keys
MATCH (a)-[e:SAME_AS]->(b:Concept)
RETURN e.key AS key, a.key AS local, b.key AS concept, e.status AS status, e.score AS score, e.method AS method
