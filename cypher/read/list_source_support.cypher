// name: list_source_support
// what: Whether any document still says this of a source; one is enough.
// mode: read
// params: key, name, value
// scope: free - sources are public
MATCH (s:Source {key: $key})
MATCH (s)<-[f:FROM]-(:Document) WHERE f[$name] = $value
RETURN s.key AS key LIMIT 1
