// name: create_code_versions
// what: What codes said up to a release, kept beside what they say from then on.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (of:Code {key: r.of})
MATCH (of)-[:FROM]->(s:Source)
CREATE (k:Code {key: r.key, scope: r.scope})
CREATE (k)-[:FROM]->(s)
SET k += r.properties
