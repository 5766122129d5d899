// name: list_runs
// what: The latest runs of ingestion.
// mode: read
// params: limit
// scope: free - counts and states of runs
MATCH (n:Run)
RETURN properties(n) AS properties ORDER BY n.started DESC LIMIT $limit
