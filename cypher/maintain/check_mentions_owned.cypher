// name: check_mentions_owned
// what: Mentions that stand in no chunk, or refer to nothing.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
MATCH (m:Mention)
OPTIONAL MATCH (c:Chunk)-[:HAS_MENTION]->(m)
WITH m, count(c) AS chunks
OPTIONAL MATCH (m)-[:REFERS_TO]->(k:Concept)
WITH m, chunks, count(k) AS concepts WHERE chunks <> 1 OR concepts = 0
RETURN m.key AS key LIMIT $limit
