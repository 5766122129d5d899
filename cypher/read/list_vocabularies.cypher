// name: list_vocabularies
// what: Which of these names are vocabularies that are loaded.
// mode: read
// params: names
// scope: free - sources are public
MATCH (s:Source) WHERE s.name IN $names
  AND EXISTS { MATCH (s)<-[:FROM]-(:Code) }
RETURN DISTINCT s.name AS name ORDER BY name
