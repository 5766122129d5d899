// name: link_codes
// what: Further concepts that codes stand for.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (k:Code {key: r.code})
MATCH (c:Concept {key: r.concept})
CREATE (k)-[:CODE_OF]->(c)
