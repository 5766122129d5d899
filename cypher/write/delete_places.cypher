// name: delete_places
// what: Places of files that have another text now.
// mode: write
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (m:Meta) WHERE m.key IN $keys
DELETE m
