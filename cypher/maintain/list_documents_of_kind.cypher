// name: list_documents_of_kind
// what: The keys of all documents of one kind.
// mode: read
// params: kind
// scope: free - keys only, for the owner of the store
MATCH (d:Document) WHERE d.kind = $kind
RETURN d.key AS key
