// name: list_document_scopes
// what: Scopes that hold documents.
// mode: read
// params: 
// scope: free - names of scopes only
MATCH (d:Document)
RETURN DISTINCT d.scope AS scope ORDER BY scope
