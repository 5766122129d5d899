// name: forget_fact_links
// what: Have documents linked again whose structured facts lead to given concepts.
// mode: write
// params: keys
// scope: free - a stamp of derivation
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)<-[e]-(o) WHERE e.row IS NOT NULL AND e.document IS NOT NULL
WITH DISTINCT e.document AS document
MATCH (d:Document {key: document})
SET d.lexicon = ''
