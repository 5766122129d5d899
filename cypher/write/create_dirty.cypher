// name: create_dirty
// what: Derived work to be done.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MERGE (d:Dirty {key: r.key})
ON CREATE SET d.kind = r.kind, d.target = r.target, d.scope = r.scope
