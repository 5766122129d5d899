// name: decide_merges
// what: A reviewer's decision on proposals, and the canonical concept that follows from it.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (a:Concept {key: r.local})
MATCH (b:Concept {key: r.concept})
MATCH (a)-[e:SAME_AS {key: r.key}]->(b)
SET e.status = r.status, e.reviewer = r.reviewer, e.decided = r.decided, a.canonical = r.canonical
