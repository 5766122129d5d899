// name: link_document_encounter
// what: A document was written during an encounter.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (d:Document {key: r.document})
MATCH (e:Encounter {key: r.encounter})
CREATE (d)-[f:DURING]->(e)
SET f += r.properties
