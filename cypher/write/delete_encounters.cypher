// name: delete_encounters
// what: Encounters that no document is about any more.
// mode: write
// params: keys
// scope: free - keys of one document only
MATCH (e:Encounter) WHERE e.key IN $keys
DETACH DELETE e
