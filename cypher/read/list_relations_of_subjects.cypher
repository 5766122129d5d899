// name: list_relations_of_subjects
// what: The relations of one type that start at the given concepts.
// mode: read
// params: subjects
// scope: free - the vocabulary is public, and keys hold the scope
// each: relation_type
UNWIND $subjects AS subject
MATCH (s:Concept {key: subject})
MATCH (s)-[e:EACH_TYPE]->()
RETURN e.key AS key, e.from_release AS from_release, e.to_release AS to_release
