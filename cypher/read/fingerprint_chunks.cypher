// name: fingerprint_chunks
// what: All chunks without their vectors, for the fingerprint.
// mode: read
// params: 
// scope: free - hashes only leave the client
MATCH (c:Chunk)
RETURN c.key AS key, c.scope AS scope, c.document AS document, c.start AS start, c.end AS end, c.ordinal AS ordinal,
       c.section AS section, c.text AS text, c.tokens AS tokens, c.tier AS tier
