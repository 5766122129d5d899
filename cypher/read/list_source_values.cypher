// name: list_source_values
// what: Everything that documents say of a source by one property.
// mode: read
// params: key, name
// scope: free - sources are public
MATCH (s:Source {key: $key})
MATCH (s)<-[f:FROM]-(:Document) WHERE f[$name] IS NOT NULL
RETURN DISTINCT f[$name] AS value
