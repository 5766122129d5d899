// name: forget_fact_links
// what: Have documents linked again whose structured facts lead to given concepts.
// mode: write
// params: keys
// scope: free - a stamp of derivation
MATCH (c:Concept) WHERE c.key IN $keys
MATCH (o)-[e]->(c) WHERE e.row IS NOT NULL AND e.document IS NOT NULL
WITH DISTINCT e.document AS document
MATCH (d:Document {key: document})
SET d.lexicon = ''
