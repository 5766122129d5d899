// name: list_document_chunks
// what: Chunks of documents in reading order, with their text.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (c:Chunk) WHERE c.document IN $documents
RETURN c.key AS key, c.document AS document, c.scope AS scope, c.start AS start, c.end AS end, c.ordinal AS ordinal,
       c.section AS section, c.text AS text, c.tokens AS tokens, c.tier AS tier
ORDER BY document, ordinal
