// name: delete_merges
// what: Proposals that are no longer made.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (a:Concept {key: r.local})
MATCH (b:Concept {key: r.concept})
MATCH (a)-[e:SAME_AS {key: r.key}]->(b)
DELETE e
