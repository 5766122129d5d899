"""Hostile and harmless Cypher, listed or derived from what is listed, for the tests of the read-only guard."""

# ruff: noqa: E501 (a table of statements)

from __future__ import annotations

from collections.abc import Callable

WRITES = (
    "CREATE (:X)", "CREATE (a:X)-[:R]->(b:X)", "MERGE (n:X {k: 1})", "MERGE (n:X) ON CREATE SET n.p = 1",
    "MATCH (n) SET n.p = 1", "MATCH (n) SET n += {p: 1}", "MATCH (n) SET n:Label", "MATCH (n) REMOVE n.p",
    "MATCH (n) REMOVE n:Label", "MATCH (n) DELETE n", "MATCH (n) DETACH DELETE n", "MATCH (n) NODETACH DELETE n",
    "MATCH (n) FOREACH (x IN [1] | SET n.p = 1)", "FOREACH (x IN [1] | CREATE (:X))", "INSERT (:X)",
    "MATCH (as) WITH as SET as.p = 1", "MATCH (end) WITH end SET end.p = 1", "MATCH (n) SET n[$key] = 1",
    "MATCH (n) WITH n LIMIT 1 SET n.p = 1 RETURN n", "UNWIND [1] AS x CREATE (:X {v: x}) RETURN x",
    "MATCH (n) WHERE n.p = 1 DELETE n RETURN 1", "OPTIONAL MATCH (n) CREATE (m)", "RETURN 1 AS x CREATE (n)",
    "MATCH (n) RETURN n SET n.p = 1", "WITH 1 AS x MERGE (n:X {v: x}) RETURN n",
    "MATCH (n) CALL { WITH n SET n.p = 1 } RETURN n", "MATCH (n) CALL (n) { CREATE (m) RETURN m } RETURN n",
    "MATCH (n) CALL (*) { DETACH DELETE n } RETURN 1",
    "CALL { CREATE (:X) }", "CALL { CREATE (:X) } IN TRANSACTIONS", "CALL { MATCH (n) RETURN n } IN TRANSACTIONS RETURN 1",
    "CALL { MATCH (n) RETURN n } IN 4 CONCURRENT TRANSACTIONS RETURN 1", "RETURN EXISTS { CREATE (n) }",
    "RETURN COUNT { MERGE (n:X) }", "RETURN COLLECT { MATCH (n) SET n.p = 1 RETURN n }",
)
SCHEMA = (
    "CREATE INDEX i FOR (n:X) ON (n.p)", "CREATE CONSTRAINT c FOR (n:X) REQUIRE n.p IS UNIQUE", "DROP INDEX i",
    "DROP CONSTRAINT c IF EXISTS", "CREATE VECTOR INDEX v FOR (n:X) ON (n.e)", "CREATE FULLTEXT INDEX f FOR (n:X) ON EACH [n.p]",
    "CREATE DATABASE d", "DROP DATABASE neo4j", "ALTER DATABASE neo4j SET ACCESS READ ONLY", "STOP DATABASE neo4j",
    "START DATABASE neo4j", "CREATE ALIAS a FOR DATABASE neo4j", "RENAME USER a TO b",
)
ADMIN = (
    "CREATE USER u SET PASSWORD 'password'", "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", "DROP USER neo4j",
    "GRANT ROLE admin TO u", "DENY READ {*} ON GRAPH * TO r", "REVOKE ROLE admin FROM u", "SHOW USERS", "SHOW PROCEDURES",
    "SHOW FUNCTIONS YIELD name RETURN name", "SHOW SETTINGS", "SHOW TRANSACTIONS", "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "SHOW DATABASES", "USE system SHOW USERS", "USE neo4j MATCH (n) RETURN n", "USE graph.byName('system') MATCH (n) RETURN n",
    "ENABLE SERVER 'x'", "DEALLOCATE DATABASES FROM SERVER 'x'", "REALLOCATE DATABASES", "DRYRUN REALLOCATE DATABASES",
    "BEGIN", "COMMIT", "ROLLBACK", ":param x => 1", "MATCH (n) USING INDEX n:X(p) WHERE n.p = 1 RETURN n", "FINISH",
    "MATCH (n) FINISH",
)
OUTSIDE = (
    "LOAD CSV FROM 'http://127.0.0.1:PORT/x' AS r RETURN r", "LOAD CSV WITH HEADERS FROM 'file:///etc/passwd' AS r RETURN r",
    "LOAD CSV FROM 'http://169.254.169.254/' AS line RETURN line", "WITH 1 AS x LOAD CSV FROM $url AS r RETURN r",
    "USING PERIODIC COMMIT 10 LOAD CSV FROM 'x' AS r CREATE (:X)", "MATCH (n) LOAD CSV FROM n.url AS r RETURN r",
    "CALL { LOAD CSV FROM 'http://127.0.0.1:PORT/' AS r RETURN r } RETURN r",
    "CALL apoc.load.json('file:///etc/passwd')", "CALL apoc.load.json('http://127.0.0.1:PORT/') YIELD value RETURN value",
    "CALL apoc.cypher.doIt('CREATE (n)', {})", "CALL apoc.cypher.runWrite('CREATE (n)', {})",
    "CALL apoc.periodic.iterate('MATCH (n) RETURN n', 'DELETE n', {})", "CALL apoc.export.csv.all('x', {})",
    "CALL apoc.create.node(['X'], {})", "CALL apoc.trigger.install('neo4j', 't', 'x', {})", "CALL apoc.systemdb.graph()",
    "CALL custom.write()", "CALL custom.write", "CALL/**/custom.write()", "CALL custom . write ( )", "CALL CUSTOM.WRITE()",
    "CALL `custom`.`write`()", "CALL `custom.write`()", "CALL dbms.killTransaction('x')", "CALL dbms.setConfigValue('a', 'b')",
    "CALL dbms.listConfig()", "CALL dbms.security.createUser('u', 'p')", "CALL dbms.queryJmx('*:*')", "CALL jwt.security.x()",
    "CALL db.createLabel('X')", "CALL db.createProperty('p')", "CALL db.clearQueryCaches()", "CALL db.awaitIndexes(60)",
    "CALL db.index.fulltext.createNodeIndex('i', ['X'], ['p'])", "CALL db.create.setNodeVectorProperty(n, 'e', [1.0])",
    "CALL db.index.vector.createNodeIndex('i', 'X', 'e', 3, 'cosine')", "CALL gds.graph.project('g', '*', '*')",
    "CALL n10s.graphconfig.init()", "CALL tx.setMetaData({a: 1})", "CALL db.labels.custom()", "CALL my.db.labels()",
    "OPTIONAL CALL apoc.load.json('x') YIELD value RETURN value", "MATCH (n) CALL custom.write(n) YIELD x RETURN x",
    "RETURN apoc.cypher.runFirstColumnSingle('CREATE (n) RETURN 1', {})", "RETURN apoc.load.json('x')",
    "RETURN custom.write()", "RETURN write()", "RETURN `custom`.`write`()", "RETURN `count`(1)", "RETURN custom . write ()",
    "MATCH (n) WHERE custom.check(n) RETURN n", "MATCH (n) RETURN n.custom(1)", "RETURN file()", "RETURN linenumber()",
    "RETURN genai.vector.encode('x', 'OpenAI', {token: 'x'})", "RETURN [x IN [1] | custom.write(x)]",
    "RETURN reduce(a = 0, x IN [1] | apoc.util.sleep(x))", "RETURN graph.names()", "MATCH (n:X {p: custom.f()}) RETURN n",
)
SHAPES = (
    "", "   ", ";", "// MATCH (n) RETURN n", "/* MATCH (n) RETURN n", "RETURN 1; CREATE (n)", "RETURN 1;;", "RETURN 1; RETURN 2",
    "MATCH (n) RETURN n;\nMATCH (n) DELETE n", "RETURN 1.CREATE (n)", "RETURN 1 .SET n.p = 1", "RETURN 1..SET n.p = 1",
    "RETURN 1, .CREATE (n)", "RETURN 0x1SET n.p = 1", "RETURN 1SET n.p = 1", "MATCH (n) FUTURE n.p = 1", "FUTURE (n)",
    "MATCH (n) FUTURE (n)", "MATCH (as) WITH as FUTURE as.p = 1", "RETURN 'it''s'", "RETURN 'a\\' CREATE (n)",
    "RETURN 'a\\x41'", "RETURN 'unfinished", 'RETURN "unfinished', "RETURN `unfinished", "RETURN 1 AS `a``b`", "RETURN 1 AS ``",
    "RETURN '\\u0027 CREATE (n) //'", "RETURN '\\\\u0027 CREATE (n) //'", 'RETURN "\\u0022 CREATE (n) //"', "RETURN '\\u00'",
    "RETURN 1 AS `a\\u0060 CREATE (n)`", "RETURN 1 //\\u000a CREATE (n)", "RETURN 1 // x\u2028CREATE (n)",
    "RETURN 1 // x\u0085CREATE (n)", "RETURN 1 // x\u000bCREATE (n)", "RETURN 1 // x\rCREATE (n)", "RETURN 1 /* /* */ CREATE (n) */",
    "RETURN 1 /* \\u002a\\u002f CREATE (n) */", "RETURN 1\u00a0AS x", "RETURN\u20031", "RE\u200bTURN 1", "MATCH (n) RETURN n\x00",
    "MATCH (n)\u2010\u2010(m) RETURN n", "MATCH (n) SE\u0422 n.p = 1", "MATCH (n) \u017fET n.p = 1", "MATCH (n) \u017fet n.p = 1",
    "MATCH (n) DELE\u0054E n", "MATCH (n) w\u0131th n MATCH (m) DELETE m", "RETURN (1", "RETURN 1)", "RETURN [1)", "RETURN {a: 1",
    "RETURN " + "(" * 100 + "1" + ")" * 100, "RETURN '" + "a" * 40_000 + "'", "MATCH (n:$(label)) RETURN n", "RETURN $ CREATE (n)",
    "RETURN 1 AS create", "MATCH (set) RETURN set", "RETURN 1 AS x, CREATE (n)", "WITH CREATE (n) RETURN 1", "CALL { } { CREATE (n) }",
    "CALL (x) CREATE (n)", "RETURN 1 UNION CREATE (n)", "RETURN 1 UNION ALL MATCH (n) DELETE n", "MATCH (n) WHERE CREATE (m) RETURN n",
    "MATCH (n) RETURN CASE WHEN true THEN CREATE (m) END", "MATCH (n) RETURN n ORDER BY CREATE (m)", "RETURN @x", "RETURN #x", "RETURN ~1",
    "RETURN ?", "RETURN \\u0031", "\\u0043REATE (n)", "MATCH (n) \\u0053ET n.p = 1", "MATCH (n) DE\\u004cETE n", "\ud800",
    "RETURN '\ud800'",
)


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isalpha() and c.isascii() else c for c in text)


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if c.isupper() and c.isascii() else c for c in text)


def _random_case(text: str) -> str:
    return "".join(c.lower() if at % 2 else c.upper() for at, c in enumerate(text))


def _commented(text: str) -> str:
    return text.replace(" ", "/* MATCH (n) RETURN n */")


DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "case": _random_case,
    "comments": _commented,
    "lines": lambda text: "// RETURN 1\n" + text.replace(" ", "\n\t"),
    "full width": _full_width,
    "unicode escapes": _escaped,
    "EXPLAIN": lambda text: f"EXPLAIN {text}",
    "PROFILE": lambda text: f"profile {text}",
    "CYPHER 25": lambda text: f"CYPHER 25 {text}",
    "second statement": lambda text: f"MATCH (n) RETURN n; {text}",
    "behind a reading part": lambda text: f"MATCH (z) WITH z {text}",
    "behind a string": lambda text: f"RETURN 'create' AS x UNION {text}",
    "in a subquery": lambda text: f"CALL {{ {text} }} RETURN 1",
}

ATTACKS: dict[str, str] = {
    **{f"{name}: {text}": change(text) for name, change in DISGUISES.items()
       for text in (*WRITES, *SCHEMA, *ADMIN, *OUTSIDE)},
    **{f"shape {number}": text for number, text in enumerate(SHAPES)},
}

_BENIGN = (
    "MATCH (c:Concept) RETURN c.name LIMIT 5", "MATCH (c:Concept) RETURN count(c) AS n", "MATCH (n) RETURN n LIMIT 1;",
    "match (c:Concept) where c.name = 'create' return c", "MATCH (n:Note) WHERE n.text CONTAINS \"DELETE everything\" RETURN n",
    "MATCH (n:`Set`) RETURN n.create", "MATCH (n:Set) RETURN n.set, n.delete, n.merge", "MATCH (n:Create)-[:DELETE]->(m) RETURN m",
    "MATCH (n)-[r:SET|CREATE|MERGE]->(m) RETURN type(r)", "MATCH (n {create: 1, set: 'x'}) RETURN n", "RETURN {drop: 1, load: 2} AS m",
    "MATCH (n) WHERE n.name = 'it\\'s' RETURN n", "RETURN 'a /* no comment */ b' AS t", "RETURN 'http://x/y' AS t // a comment",
    "/* CREATE is not allowed */ RETURN 1", "// CREATE (n)\nMATCH (n) RETURN n", "RETURN '\\u00e9' AS e", "RETURN 'Ménière' AS t",
    "RETURN 'ＣＲＥＡＴＥ' AS t", "MATCH (größe:Concept) RETURN größe.name".replace("ß", "ss"), "MATCH (имя) RETURN имя.x",
    "MATCH (n) RETURN n.naïve, n.`two words`", "MATCH (c:Concept) WHERE c.cui IN ['C1', 'C2'] RETURN c", "RETURN $create AS x",
    "MATCH (c:Concept {cui: $cui})-[:ISA*1..3]->(p) RETURN p.name", "MATCH (c)-[:ISA*]->(p) RETURN p", "MATCH (a)-[*..2]-(b) RETURN a",
    "MATCH (a)-[*2..]-(b) RETURN b", "MATCH p = shortestPath((a:X)-[*..5]-(b:Y)) RETURN length(p)", "MATCH p = (a)-->(b) RETURN nodes(p)",
    "MATCH p = allShortestPaths((a)-[:R*]-(b)) RETURN relationships(p)", "MATCH (a)<--(b)--(c) RETURN a, b, c", "MATCH ((a)-[:R]->(b)){1,3} RETURN a",
    "MATCH (d:Document)<-[:PART_OF]-(c:Chunk) WITH d, count(c) AS n ORDER BY n DESC LIMIT 10 RETURN d.title, n",
    "MATCH (s:Statement)-[e:EVIDENCED_BY]->(c) RETURN e.start AS start, e.end AS end ORDER BY end", "MATCH (n) RETURN DISTINCT labels(n)",
    "MATCH (n) WITH DISTINCT n.name AS name SKIP 5 LIMIT 5 RETURN name", "OPTIONAL MATCH (n:X) RETURN n", "MATCH (a) OPTIONAL MATCH (a)-->(b) RETURN a, b",
    "UNWIND [1, 2, 3] AS x RETURN x * 2", "UNWIND $rows AS r MATCH (c {key: r.key}) RETURN c.key", "UNWIND range(1, 10) AS i RETURN i",
    "RETURN 1 UNION RETURN 2", "RETURN 1 AS x UNION ALL RETURN 2 AS x", "RETURN 1 AS x UNION DISTINCT RETURN 2 AS x",
    "CALL { MATCH (n) RETURN n LIMIT 1 } RETURN n", "MATCH (d) CALL (d) { MATCH (d)--(x) RETURN count(x) AS k } RETURN d.key, k",
    "MATCH (d) CALL { WITH d MATCH (d)--(x) RETURN count(x) AS k } RETURN d, k", "CALL () { RETURN 1 AS x } RETURN x",
    "MATCH (d) CALL (*) { RETURN d.key AS k } RETURN k", "CALL db.labels()", "CALL db.labels", "CALL db.labels() YIELD label RETURN label ORDER BY label",
    "CALL db.relationshipTypes() YIELD relationshipType AS t WHERE t STARTS WITH 'H' RETURN t", "CALL db.propertyKeys() YIELD *",
    "CALL db.index.vector.queryNodes('chunk_embedding', 200, $v) YIELD node, score WHERE node.scope IN $scopes RETURN node.key, score",
    "call db.index.fulltext.queryNodes('concept_text', 'aspirin') yield node as n, score as s return n.name, s limit 5",
    "CALL db.schema.visualization()", "MATCH (n) WHERE EXISTS { (n)-[:R]->() } RETURN n", "MATCH (n) WHERE NOT EXISTS { MATCH (n)-[:R]->(m) WHERE m.x > 1 } RETURN n",
    "MATCH (n) RETURN COUNT { (n)--() } AS degree", "MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.name } AS names",
    "MATCH (n) WHERE (n)-[:R]->() AND NOT (n)<-[:R]-() RETURN n", "MATCH (n) WHERE exists(n.name) RETURN n", "MATCH (n) WHERE n:Concept OR n:Code RETURN n",
    "MATCH (n:Concept&!Code) RETURN n", "MATCH (n:(A|B)&C) RETURN n", "MATCH (n:%) RETURN n LIMIT 1", "MATCH ()-[r:!ISA]->() RETURN r LIMIT 1",
    "MATCH (n) RETURN CASE n.x WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END AS word", "RETURN CASE WHEN 1 > 2 THEN null ELSE true END",
    "MATCH (n) RETURN n {.name, .create, k: n.key, all: n.*}".replace(", all: n.*", ", .*"), "MATCH (n) RETURN [x IN n.names WHERE x <> '' | toLower(x)] AS names",
    "MATCH (n) RETURN [(n)-[:R]->(m) | m.name] AS names", "RETURN reduce(s = 0, x IN [1, 2] | s + x) AS sum", "RETURN [x IN [1, 2] | CASE WHEN x > 1 THEN x END]",
    "MATCH (n) WHERE all(x IN n.names WHERE size(x) > 3) RETURN n", "MATCH (n) WHERE any(x IN n.names WHERE x =~ '(?i).*itis') RETURN n",
    "MATCH (n) WHERE none(x IN n.names WHERE x = '') AND single(x IN n.codes WHERE x = 'a') RETURN n", "RETURN -1 + 2 * 3 / 4 % 5 ^ 6",
    "RETURN 1.5e-3, .5, 0x1F, 0o17, 1e10", "RETURN [1, 2, 3][0..2], [1, 2][-1], 'abc'", "RETURN 'a' + 'b' AS ab, \"it's\" AS s", "RETURN 'line\\nbreak \\t \\\\ \\\"'",
    "MATCH (n) WHERE n.x IS NULL OR n.y IS NOT NULL XOR n.z = true RETURN n", "MATCH (n) WHERE n.name STARTS WITH 'a' AND n.name ENDS WITH 'b' RETURN n",
    "MATCH (n) WHERE 1 < n.x <= 10 AND n.y >= 3 AND n.z <> 4 RETURN n", "MATCH (n) WHERE n.x IN [1, 2] AND NOT n.y IN $list RETURN n",
    "MATCH (p:Patient)<-[:OF_PATIENT]-(e:Encounter)-[d:HAS_DIAGNOSIS]->(c) RETURN p.subject_id, collect(DISTINCT c.name) AS diagnoses",
    "MATCH (e:Encounter) RETURN date(e.admitted), duration.inDays(date(e.admitted), date(e.discharged)).days", "RETURN date.truncate('month', date('2180-05-06')) AS m",
    "RETURN datetime({year: 2180, month: 1}).year, localdatetime('2180-01-01T00:00:00'), time()", "RETURN point.distance(point({x: 1, y: 2}), point({x: 3, y: 4}))",
    "MATCH (c:Chunk) RETURN vector.similarity.cosine(c.embedding, $v) AS s ORDER BY s DESC LIMIT 10", "RETURN coalesce(null, 1), head([1]), last([1]), tail([1, 2])",
    "RETURN toString(1), toInteger('1'), toFloat('1.5'), toBoolean('true')", "RETURN split('a b', ' '), replace('ab', 'a', 'b'), substring('abc', 1, 2), trim(' a ')",
    "MATCH (n) RETURN avg(n.x), sum(n.x), min(n.x), max(n.x), stDev(n.x), percentileCont(n.x, 0.5)", "MATCH (n) RETURN keys(n), properties(n), elementId(n), id(n)",
    "MATCH (a)-[r]->(b) RETURN startNode(r), endNode(r), type(r)", "RETURN abs(-1), round(1.5), sqrt(4), log(2), exp(1), rand(), sign(-2)", "RETURN timestamp(), randomUUID()",
    "MATCH (n) RETURN *", "MATCH (n) WITH *, n.x AS x RETURN x", "MATCH (n) WHERE n.x IS :: INTEGER RETURN n", "RETURN 'a' || 'b'", "MATCH (n) RETURN n.limit, n.order, n.end, n.call",
    "MATCH (n:Order)-[:CONTAINS]->(m:Call) RETURN m", "MATCH (start:Concept)-[:ISA]->(stop) RETURN start, stop", "MATCH (path) RETURN path.count AS count, path.type AS type",
    "MATCH (n)\r\nRETURN n\r\n", "\t MATCH (n)\n\n  RETURN n  ", "MATCH (n) RETURN n.x AS `set`, n.y AS `create`", "RETURN {a: null, b: [true, false], c: {d: -1}} AS m",
    "MATCH (n) RETURN n ORDER BY n.x ASC, n.y DESCENDING SKIP $skip LIMIT $limit", "WITH 1 AS a WITH a, 2 AS b WHERE b > a RETURN a + b", "RETURN count(*) AS n, count(DISTINCT 1) AS m",
)
BENIGN: dict[str, str] = {
    **{text: text for text in _BENIGN},
    **{f"lower case: {text}": text.lower() for text in _BENIGN if text.isascii() and "'" not in text and "`" not in text
       and "queryNodes" not in text and "db." not in text},
    **{f"commented: {text}": "/* set */ " + text.replace(" RETURN ", " // create\nRETURN ") for text in _BENIGN},
}
