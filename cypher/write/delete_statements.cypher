// name: delete_statements
// what: Statements, with their edges.
// mode: write
// params: keys
// scope: free - keys of one document only
MATCH (t:Statement) WHERE t.key IN $keys
DETACH DELETE t
