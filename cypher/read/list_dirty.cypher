// name: list_dirty
// what: Derived work of one kind that is waiting.
// mode: read
// params: kind, limit
// scope: free - keys of the queue only
MATCH (d:Dirty {kind: $kind})
RETURN d.key AS key, d.target AS target ORDER BY target LIMIT $limit
