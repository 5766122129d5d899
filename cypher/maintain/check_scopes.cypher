// name: check_scopes
// what: Relationships from one scope into another that is not public.
// mode: read
// params: limit
// scope: free - keys and counts for the owner of the store
// each: content_relationship
MATCH (a)-[e:EACH_TYPE]->(b) WHERE a.scope <> b.scope AND b.scope <> 'public'
RETURN a.key AS key LIMIT $limit
