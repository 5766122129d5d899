// name: get_run
// what: One run.
// mode: read
// params: key
// scope: free - counts and states of runs
MATCH (n:Run {key: $key})
RETURN properties(n) AS properties
