// name: check_text_relations
// what: Relations from text whose statement is not there, not public or not affirmed.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
// each: relation_type
MATCH (a:Concept)-[e:EACH_TYPE {sab: 'TEXT'}]->(b:Concept)
OPTIONAL MATCH (t:Statement {key: e.key})
WITH e, t WHERE t IS NULL OR t.scope <> 'public' OR t.polarity <> 'affirmed'
RETURN e.key AS key LIMIT $limit
