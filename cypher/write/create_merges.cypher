// name: create_merges
// what: Proposals that a local concept is the same as a public one; both are there, the proposal is not.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (a:Concept {key: r.local})
MATCH (b:Concept {key: r.concept})
CREATE (a)-[:SAME_AS {key: r.key, status: 'proposed', score: r.score, method: r.method}]->(b)
