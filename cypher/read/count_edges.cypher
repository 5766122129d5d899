// name: count_edges
// what: How many relationships of one type there are.
// mode: read
// params: 
// scope: free - counts only
// each: content_relationship
MATCH ()-[e:EACH_TYPE]->()
RETURN count(e) AS n
