// name: create_statements
// what: Statements that are not there yet, with their subject and object.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (s:Concept {key: r.subject})
MATCH (o:Concept {key: r.object})
CREATE (t:Statement {key: r.key, scope: r.scope, subject: r.subject, predicate: r.predicate, object: r.object,
                     polarity: r.polarity, patient: r.patient, text: r.text})
CREATE (t)-[:SUBJECT]->(s)
CREATE (t)-[:OBJECT]->(o)
