// name: list_same_concepts
// what: Concepts that accepted merges make the same as these, within the scopes; the local ones of a public concept and the public one of a local one.
// mode: read
// params: keys, scopes
// as_of: free - decisions of reviewers hold for all dates
// scope: bound
MATCH (c:Concept) WHERE c.key IN $keys AND c.scope IN $scopes
OPTIONAL MATCH (l:Concept)-[e:SAME_AS]->(c) WHERE e.status = 'accepted' AND l.scope IN $scopes
WITH c, collect(l.key) AS locals
RETURN c.key AS key, c.canonical AS canonical, locals
