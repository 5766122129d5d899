// name: create_local_concepts
// what: Concepts that no vocabulary has, where they are not there yet.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
CREATE (c:Concept {key: r.key, scope: r.scope})
SET c += r.properties
