// name: stream_fact_names
// what: The names that the tables of private scopes give to diagnoses, procedures, drugs and organisms, with the
// concept each is linked to.
// mode: read
// params: scopes
// scope: bound
MATCH (owner)-[f:HAS_DIAGNOSIS|HAS_PROCEDURE|PRESCRIBED|ADMINISTERED|GREW]->(c:Concept)
WHERE owner.scope IN $scopes AND f.name IS NOT NULL
RETURN DISTINCT type(f) AS kind, f.name AS name, c.key AS concept, c.semantic_types AS semantic_types
