// name: stream_export_chunks
// what: All chunks in the given scopes without their vectors, to export them.
// mode: read
// params: scopes
// scope: bound
MATCH (c:Chunk) WHERE c.scope IN $scopes
RETURN c {.*, embedding: null} AS properties
