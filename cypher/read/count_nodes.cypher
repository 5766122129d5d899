// name: count_nodes
// what: How many nodes of one label there are.
// mode: read
// params: 
// scope: free - counts only
// each: node_label
MATCH (n:EACH_TYPE)
RETURN count(n) AS n
