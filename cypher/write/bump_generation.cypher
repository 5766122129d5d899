// name: bump_generation
// what: Count a change, so that what is derived can see that it is behind.
// mode: write
// params: key
// scope: free - a counter
MERGE (m:Meta {key: $key})
ON CREATE SET m.generation = 1, m.scope = 'public'
ON MATCH SET m.generation = coalesce(m.generation, 0) + 1
