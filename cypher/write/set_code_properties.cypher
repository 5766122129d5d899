// name: set_code_properties
// what: Some properties of codes; null takes one away.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (k:Code {key: r.key})
SET k += r.properties
