// name: check_chunks_owned
// what: Chunks that belong to no document.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
MATCH (c:Chunk)
OPTIONAL MATCH (c)-[e:PART_OF]->(:Document)
WITH c, count(e) AS owners WHERE owners <> 1
RETURN c.key AS key LIMIT $limit
