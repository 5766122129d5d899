// name: stream_mention_spans
// what: Spans of all mentions beside their chunks, for the check of offsets.
// mode: read
// params: 
// scope: free - compared on the client; keys only leave it
MATCH (c:Chunk)-[:HAS_MENTION]->(m:Mention)
RETURN m.key AS key, m.spans AS spans, c.start AS start, c.text AS text
