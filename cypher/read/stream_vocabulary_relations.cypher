// name: stream_vocabulary_relations
// what: The relations of one type that a vocabulary states, live or ended.
// mode: read
// params: 
// scope: free - the vocabulary is public
// each: relation_type
MATCH (s:Concept)-[e:EACH_TYPE]->(o:Concept)
WHERE e.key STARTS WITH 'rel:' AND e.from_release IS NOT NULL
RETURN e.key AS key, s.key AS subject, o.key AS object, e.from_release AS from_release, e.to_release AS to_release
