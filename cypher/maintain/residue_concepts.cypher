// name: residue_concepts
// what: Local concepts that lost their last support.
// mode: read
// params: concepts
// scope: free - counts, after a retraction
MATCH (c:Concept) WHERE c.key IN $concepts AND c.local = true
  AND NOT EXISTS { MATCH (c)<-[e]-() WHERE type(e) <> 'SAME_AS' }
RETURN count(c) AS n
