// name: stream_export_edges
// what: All relationships of one type whose two ends are in the given scopes, to export them.
// mode: read
// params: scopes
// scope: bound
// each: content_relationship
MATCH (a)-[e:EACH_TYPE]->(b) WHERE a.scope IN $scopes AND b.scope IN $scopes
RETURN head(labels(a)) AS a_label, a.key AS a, head(labels(b)) AS b_label, b.key AS b, properties(e) AS properties
