// name: count_same_works
// what: Works of which a scope has several documents, and how many documents those are.
// mode: read
// params:
// scope: free - counts only
MATCH (d:Document) WHERE d.work IS NOT NULL
WITH d.scope AS scope, d.work AS work, count(*) AS n WHERE n > 1
RETURN count(*) AS groups, sum(n) AS documents
