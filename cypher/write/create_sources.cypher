// name: create_sources
// what: Sources that are not there yet.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
CREATE (s:Source {key: r.key, scope: r.scope})
SET s += r.properties
