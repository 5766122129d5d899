// name: list_live_chunk_keys
// what: The chunks that searches may find, at some date: those with a vector.
// mode: read
// params: -
// scope: free - keys only, for the index; every search of it binds the scope
// as_of: free - the index keeps the dates; every search of it compares them
MATCH (c:Chunk) WHERE c.embedding IS NOT NULL
RETURN c.key AS key
