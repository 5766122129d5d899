// name: list_documents_of_bands
// what: Documents of a scope of whose simhash at least one band is the same.
// mode: read
// params: scope, s0, s1, s2, s3
// scope: bound
MATCH (d:Document {simhash_0: $s0}) WHERE d.scope = $scope
RETURN d.key AS key, d.duplicate_of AS duplicate_of, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2,
       d.simhash_3 AS s3
UNION
MATCH (d:Document {simhash_1: $s1}) WHERE d.scope = $scope
RETURN d.key AS key, d.duplicate_of AS duplicate_of, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2,
       d.simhash_3 AS s3
UNION
MATCH (d:Document {simhash_2: $s2}) WHERE d.scope = $scope
RETURN d.key AS key, d.duplicate_of AS duplicate_of, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2,
       d.simhash_3 AS s3
UNION
MATCH (d:Document {simhash_3: $s3}) WHERE d.scope = $scope
RETURN d.key AS key, d.duplicate_of AS duplicate_of, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2,
       d.simhash_3 AS s3
