// name: unlink_codes
// what: Concepts that codes do not stand for any more.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (k:Code {key: r.code})
MATCH (c:Concept {key: r.concept})
MATCH (k)-[e:CODE_OF]->(c)
DELETE e
