// name: stream_export_merges
// what: All proposals and decisions that concepts of the given scopes are the same, to export them.
// mode: read
// params: scopes
// scope: bound
MATCH (a:Concept)-[e:SAME_AS]->(b:Concept) WHERE a.scope IN $scopes AND b.scope IN $scopes
RETURN 'Concept' AS a_label, a.key AS a, 'Concept' AS b_label, b.key AS b, properties(e) AS properties
