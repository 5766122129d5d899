// name: stream_relation_subjects
// what: Where the relations that a vocabulary asserts start.
// mode: read
// params: sab
// scope: free - the vocabulary is public
// each: relation_type
MATCH (s:Concept)-[e:EACH_TYPE]->(:Concept) WHERE e.sab = $sab
RETURN DISTINCT s.key AS key
