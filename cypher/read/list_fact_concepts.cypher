// name: list_fact_concepts
// what: Which of these concepts a structured fact of one type is about.
// mode: read
// params: keys
// scope: free - by key, and keys of local concepts hold the scope
// each: fact_type
MATCH (c:Concept) WHERE c.key IN $keys
MATCH (c)<-[e:EACH_TYPE]-()
RETURN DISTINCT c.key AS key
