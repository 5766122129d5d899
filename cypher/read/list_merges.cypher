// name: list_merges
// what: Proposals and decisions that local concepts are the same as public ones, best first.
// mode: read
// params: scopes, status, after, limit
// scope: bound
MATCH (a:Concept) WHERE a.local = true AND a.scope IN $scopes AND a.key > $after
MATCH (a)-[e:SAME_AS]->(b:Concept) WHERE $status = '' OR e.status = $status
RETURN e.key AS key, a.key AS local, a.name AS local_name, a.scope AS scope, b.key AS concept, b.name AS concept_name,
       e.status AS status, e.score AS score, e.method AS method, e.reviewer AS reviewer, e.decided AS decided
ORDER BY local, key LIMIT $limit
