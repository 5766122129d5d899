// name: put_runs
// what: A run of ingestion: created or brought up to date.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MERGE (n:Run {key: r.key})
SET n += r.properties
