// name: list_migrations
// what: The migrations that ran on this graph, with their checksums.
// mode: read
// params: -
// scope: free - the schema has no content
MATCH (m:Meta)
WHERE m.key STARTS WITH 'meta:migration:'
RETURN m.name AS name, m.checksum AS checksum
ORDER BY name
