// name: delete_asserted_relations
// what: The relations that a vocabulary asserts, by the concepts they start at.
// mode: write
// params: keys, sab
// scope: free - by key
// each: relation_type
UNWIND $keys AS key
MATCH (s:Concept {key: key})
MATCH (s)-[e:EACH_TYPE]->(:Concept) WHERE e.sab = $sab
DELETE e
