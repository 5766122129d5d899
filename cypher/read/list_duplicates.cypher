// name: list_duplicates
// what: Groups of near-duplicates by their first document: the documents that are flagged as its duplicates, and itself.
// mode: read
// params: roots
// scope: free - by key, and keys hold the scope
UNWIND $roots AS root
MATCH (d:Document {duplicate_of: root})
RETURN d.key AS key, root AS root, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2, d.simhash_3 AS s3
UNION
UNWIND $roots AS root
MATCH (d:Document {key: root})
RETURN d.key AS key, root AS root, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2, d.simhash_3 AS s3
