// name: delete_codes
// what: Codes that a source does not bring any more.
// mode: write
// params: keys
// scope: free - by key
UNWIND $keys AS key
MATCH (k:Code {key: key})
DETACH DELETE k
