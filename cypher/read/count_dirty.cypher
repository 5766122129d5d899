// name: count_dirty
// what: How much derived work is waiting, by kind.
// mode: read
// params: 
// scope: free - counts only
MATCH (d:Dirty)
RETURN d.kind AS kind, count(*) AS n ORDER BY kind
