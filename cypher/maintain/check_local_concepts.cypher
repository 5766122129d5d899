// name: check_local_concepts
// what: Local concepts that nothing supports.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
MATCH (c:Concept) WHERE c.local = true
OPTIONAL MATCH (c)<-[e]-()
WITH c, count(e) AS support WHERE support = 0
RETURN c.key AS key LIMIT $limit
