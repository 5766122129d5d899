// name: forget_mention_links
// what: Have documents linked again whose mentions refer to given concepts.
// mode: write
// params: keys
// scope: free - a stamp of derivation
UNWIND $keys AS key
MATCH (c:Concept {key: key})
MATCH (c)<-[:REFERS_TO]-(m:Mention)
WITH DISTINCT m.document AS document
MATCH (d:Document {key: document})
SET d.lexicon = ''
