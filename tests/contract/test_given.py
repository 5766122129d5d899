"""A source's own annotations and statements on every server: resolved whichever comes first, gone without a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest

from graphkb.config import Settings
from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.retract import remove_documents
from ingestion.sources.claims import ClaimsSource
from ingestion.sources.pubtator import PubTatorSource
from ingestion.sources.triples import TriplesSource
from tests.helpers import corpus as c
from tests.helpers import vocabulary as v
from tests.servers import wipe

META = {
    "MRCONSO": [
        v.atom("C9100002", "A1", "MSH", "D017706", "Lisinopril"),
        v.atom("C9100001", "A2", "MSH", "D006973", "Hypertension"),
        v.atom("C9100003", "A3", "MSH", "D001241", "Aspirin"),
        v.atom("C9100004", "A4", "HPO", "HP:0002315", "Headache"),
    ],
    "MRSTY": [
        v.semantic_type("C9100002", "T121"),
        v.semantic_type("C9100001", "T047"),
        v.semantic_type("C9100003", "T121"),
        v.semantic_type("C9100004", "T184"),
    ],
    "MRSAB": [v.vocabulary("MSH"), v.vocabulary("HPO")],
}
PUBTATOR = (
    "1|t|Zestril and high pressure\n1|a|Zestril treats high pressure. No aspirin was given. Aspirin treats headache.\n"
    "1\t0\t7\tZestril\tChemical\tD017706\n1\t12\t25\thigh pressure\tDisease\tD006973\n"
    "1\t26\t33\tZestril\tChemical\tD017706\n1\t41\t54\thigh pressure\tDisease\tD006973\n"
    "1\t59\t66\taspirin\tChemical\tD001241\n1\tTreat\tD017706\tD006973\n\n"
    "2|t|Novomab causes rash\n2\t0\t7\tNovomab\tChemical\tMESH:C999999\n2\t15\t19\trash\tDisease\tD005076\n"
    "2\tCause\tMESH:C999999\tD005076\n\n"
)
TRIPLES = (
    "subject\tpredicate\tobject\tsubject_id\tobject_id\tnegated\n"
    "Lisinopril\ttreats\tHigh blood pressure\tMESH:D017706\t"
    "MESH:D006973\t\nAspirin\ttreats\tHypertension\tMESH:D001241\tMESH:D006973\ttrue\nAspirin\tglorps\tHeadache\t\t"
    "HP:0002315\t\nnovomab injection\tcauses\tskin rash\tMESH:C999999\tMESH:D005076\t\n"
)


@pytest.fixture
def fresh(store: Store, store_settings: Settings) -> Iterator[Callable[[], KnowledgeBase]]:
    """Give an open knowledge base over an emptied store, as often as asked."""
    opened: list[KnowledgeBase] = []

    def make() -> KnowledgeBase:
        wipe(store)
        opened.append(KnowledgeBase(c.fast(store_settings)))
        return opened[-1]

    yield make
    for kb in opened:
        kb.close()


@pytest.fixture
def steps(tmp_path: Path) -> dict[str, Callable[[KnowledgeBase], object]]:
    meta = v.write_meta(tmp_path / "META", **META, MRREL=[], MRDEF=[])
    (tmp_path / "a.txt").write_text(PUBTATOR)
    (tmp_path / "b.tsv").write_text(TRIPLES)
    return {
        "vocabulary": lambda kb: kb.ingest_vocabulary(meta, vectors=False),
        "pubtator": lambda kb: kb.ingest(PubTatorSource([tmp_path / "a.txt"]), vectors=False),
        "triples": lambda kb: kb.ingest(TriplesSource([tmp_path / "b.tsv"]), vectors=False),
    }


def rows(kb: KnowledgeBase, query: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in kb.query(query).rows]


def test_one_graph_whatever_the_order(
    fresh: Callable[[], KnowledgeBase],
    steps: dict[str, Callable[[KnowledgeBase], object]],
    request: pytest.FixtureRequest,
) -> None:
    orders = list(permutations(steps))[::2]
    found = set()
    for order in orders[:1] if "neo4j" in request.node.name else orders:
        kb = fresh()
        for step in order:
            steps[step](kb)
        found.add(fingerprint(kb.store))
        assert kb.check() == []
    assert len(found) == 1
    texts = rows(
        kb,
        "MATCH (t:Statement)-[e:EVIDENCED_BY]->() WHERE e.method = 'given'"
        " RETURN t.text AS text, t.polarity AS polarity, e.said AS said, count(e) AS n ORDER BY text, said",
    )
    # Novomab and the rash are in no vocabulary: each has the longest of its names, whoever came first
    assert texts == [
        ("Aspirin does not treat Hypertension", "negated", "treats", 1),
        ("Aspirin is related to Headache", "affirmed", "glorps", 1),
        ("Lisinopril treats Hypertension", "affirmed", "Treat", 1),
        ("Lisinopril treats Hypertension", "affirmed", "treats", 1),
        ("novomab injection causes skin rash", "affirmed", "Cause", 1),
        ("novomab injection causes skin rash", "affirmed", "causes", 1),
    ]
    marked = rows(
        kb,
        "MATCH (m:Mention {name: 'aspirin'})-[:REFERS_TO]->(c:Concept) WHERE m.assertion = 'absent'"
        " RETURN m.method AS method, m.codes AS codes, c.key AS concept",
    )
    assert marked == [("given", ["MSH:D001241"], "C9100003")]  # once, and still denied
    related = rows(
        kb,
        "MATCH (a:Concept)-[r]->(b:Concept) WHERE r.sab = 'TEXT' RETURN type(r) AS t, a.key AS a, b.key AS b"
        " ORDER BY t, a",
    )
    assert ("TREATS", "C9100002", "C9100001") in related
    assert ("RELATED", "C9100003", "C9100004") in related
    assert ("TREATS", "C9100003", "C9100001") not in related  # denied


def test_retracting_leaves_what_was_before(
    fresh: Callable[[], KnowledgeBase], steps: dict[str, Callable[[KnowledgeBase], object]]
) -> None:
    kb = fresh()
    steps["pubtator"](kb)
    before = fingerprint(kb.store)
    steps["triples"](kb)
    assert fingerprint(kb.store) != before
    keys = [key for (key,) in rows(kb, "MATCH (d:Document {kind: 'triples'}) RETURN d.key AS key")]
    kb.store.transaction(lambda tx: remove_documents(tx, keys))
    assert fingerprint(kb.store) == before  # names and wordings, too, are what they were
    keys = [key for (key,) in rows(kb, "MATCH (d:Document) RETURN d.key AS key")]
    kb.store.transaction(lambda tx: remove_documents(tx, keys))
    left = {name: n for name, n in kb.status()["nodes"].items() if n and name not in ("Run", "Meta", "Dirty")}
    assert left == {}


def test_rows_that_are_taken_out_of_the_file_go(fresh: Callable[[], KnowledgeBase], tmp_path: Path) -> None:
    rows = [f"drug {n}\ttreats\tdisease {n}" for n in range(300)]
    path = tmp_path / "b.tsv"
    path.write_text("\n".join(["subject\tpredicate\tobject", *rows[150:160]]))
    kb = fresh()
    kb.ingest(TriplesSource([path]), vectors=False)
    few = fingerprint(kb.store)
    path.write_text("\n".join(["subject\tpredicate\tobject", *rows]))
    kb.ingest(TriplesSource([path]), vectors=False)
    assert kb.status()["nodes"]["Statement"] == 300
    path.write_text("\n".join(["subject\tpredicate\tobject", *rows[150:160]]))
    report = kb.ingest(TriplesSource([path]), vectors=False)
    assert report.documents["removed"] >= 1
    assert fingerprint(kb.store) == few


def test_a_false_claim_is_no_evidence(
    fresh: Callable[[], KnowledgeBase], tmp_path: Path, steps: dict[str, Callable[[KnowledgeBase], object]]
) -> None:
    kb = fresh()
    steps["vocabulary"](kb)
    (tmp_path / "c.tsv").write_text(
        "claim_id\tclaim\texplanation\tmain_text\tlabel\n1\tAspirin causes headache\tNo study shows it."
        "\tPosts say Aspirin causes headache, and that lisinopril causes headache.\tfalse\n"
        "2\tLisinopril treats hypertension\tTrials show it.\t\ttrue\n"
    )
    kb.ingest(ClaimsSource([tmp_path / "c.tsv"]), vectors=True)
    found = rows(kb, "MATCH (d:Document {kind: 'claim'}) RETURN d.label AS label, d.claim AS claim ORDER BY label")
    assert found == [("false", "Aspirin causes headache"), ("true", "Lisinopril treats hypertension")]
    texts = [text for (text,) in rows(kb, "MATCH (c:Chunk) RETURN c.text AS text")]
    assert not any("aspirin causes headache" in text.casefold() for text in texts)
    assert any("Lisinopril treats hypertension" in text for text in texts)
    evidence = [one for one in kb.retrieve("Does aspirin cause headache?")]
    assert evidence
    assert not any("aspirin causes headache" in one.text.casefold() for one in evidence)
    assert rows(kb, "MATCH (t:Statement) RETURN t.text AS text") == []
