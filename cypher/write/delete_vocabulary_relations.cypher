// name: delete_vocabulary_relations
// what: The vocabularies' relations of concepts that no vocabulary has any more; what texts say stays.
// mode: write
// params: keys
// scope: free - by key
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)-[e]-(:Concept) WHERE e.sab IS NOT NULL AND e.sab <> 'TEXT'
DELETE e
