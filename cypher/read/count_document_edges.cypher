// name: count_document_edges
// what: How many relationships of each type documents, their chunks and mentions own.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $documents
MATCH (d)-[e]->()
RETURN type(e) AS type, count(e) AS n
UNION ALL
MATCH (c:Chunk) WHERE c.document IN $documents
MATCH (c)-[e]->()
RETURN type(e) AS type, count(e) AS n
UNION ALL
MATCH (c:Chunk) WHERE c.document IN $documents
MATCH (c)<-[e:EVIDENCED_BY]-()
RETURN type(e) AS type, count(e) AS n
UNION ALL
MATCH (m:Mention) WHERE m.document IN $documents
MATCH (m)-[e]->()
RETURN type(e) AS type, count(e) AS n
