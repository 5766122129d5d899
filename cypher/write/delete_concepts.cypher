// name: delete_concepts
// what: Local concepts that nothing supports any more.
// mode: write
// params: keys
// scope: free - keys of one document only
MATCH (c:Concept) WHERE c.key IN $keys
DETACH DELETE c
