// name: count_near_duplicates
// what: Documents flagged as near-duplicates of another, and the groups they make.
// mode: read
// params:
// scope: free - counts only
MATCH (d:Document) WHERE d.duplicate_of IS NOT NULL
RETURN count(*) AS documents, count(DISTINCT d.duplicate_of) AS groups
