// name: delete_code_versions
// what: Codes that an upgrade had created and that its rollback takes away.
// mode: write
// params: keys
// scope: free - keys hold the scope
MATCH (k:Code) WHERE k.key IN $keys
DETACH DELETE k
