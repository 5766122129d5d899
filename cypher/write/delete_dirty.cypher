// name: delete_dirty
// what: Derived work that is done.
// mode: write
// params: keys
// scope: free - keys of the queue only
MATCH (d:Dirty) WHERE d.key IN $keys
DELETE d
