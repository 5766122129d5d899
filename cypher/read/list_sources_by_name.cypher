// name: list_sources_by_name
// what: All versions of a source that are there.
// mode: read
// params: name
// scope: free - sources are public
MATCH (s:Source) WHERE s.name = $name
RETURN s.key AS key ORDER BY key
