// name: forget_mention_links
// what: Have documents linked again whose mentions refer to given concepts.
// mode: write
// params: keys
// scope: free - a stamp of derivation
MATCH (c:Concept) WHERE c.key IN $keys
MATCH (m:Mention)-[:REFERS_TO]->(c)
WITH DISTINCT m.document AS document
MATCH (d:Document {key: document})
SET d.lexicon = ''
