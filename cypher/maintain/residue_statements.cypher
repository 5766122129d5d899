// name: residue_statements
// what: Statements that lost their last evidence.
// mode: read
// params: statements
// scope: free - counts, after a retraction
MATCH (t:Statement) WHERE t.key IN $statements
  AND NOT EXISTS { MATCH (t)-[:EVIDENCED_BY]->() }
RETURN count(t) AS n
