// name: list_releases
// what: The releases of the vocabulary that the graph holds, the newest first.
// mode: read
// params: 
// scope: free - names and dates of releases
MATCH (m:Meta) WHERE m.key STARTS WITH 'meta:release:'
RETURN m.release AS release, m.date AS date ORDER BY release DESC
