"""Works, near-duplicates, retractions and revisions: derived from what is there, whatever the order it came in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphkb.config import Settings
from graphkb.kb import KnowledgeBase
from graphkb.model import ReadReport, SourceDocument, SourceInfo
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.retract import remove_documents
from ingestion.sources import MedlineSource
from tests.helpers import corpus as c
from tests.servers import raw, wipe

WORDS = [f"word{n}" for n in range(300)]
LONG = " ".join(random.Random(7).choices(WORDS, k=400))


def document(name: str, text: str, *, retracts: tuple[str, ...] = (), says: str | None = None,
             published: str | None = "2020-01-01", **identifiers: str) -> SourceDocument:
    return SourceDocument(SourceInfo(f"source of {name}", "1"), name, name, text, "literature", "article",
                          published=published, identifiers=identifiers, retracts=retracts, says_retracted=says)


# three of one work by several identifiers, three of nearly one text, one with two notices, one that says so itself
DOCUMENTS = [
    document("a", "Aspirin treats headache.", doi="10.1/a"),
    document("b", "Aspirin treats headache in most.", doi="10.1/a", pmid="1"),
    document("c", "Aspirin helps.", pmid="1", pmcid="PMC9"),
    document("d", LONG), document("e", LONG + " more"), document("f", "More. " + LONG),
    document("g", "Lisinopril treats hypertension.", doi="10.1/g", pmid="5"),
    document("h", "Retraction of one.", retracts=("doi:10.1/g",), published="2022-02-02"),
    document("i", "Retraction of two.", retracts=("doi:10.1/x", "pmid:5"), published="2021-03-03"),
    document("j", "Says so.", pmid="77", says="0000"),
]


class Given:
    """A source of documents at hand."""

    name = "given"

    def __init__(self, documents: list[SourceDocument]) -> None:
        self._documents = documents

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        for one in self._documents:
            report.keep("given")
            yield one


@pytest.fixture
def kb(store: Store, store_settings: Settings) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(c.fast(store_settings)) as opened:
        yield opened


def take(kb: KnowledgeBase, documents: list[SourceDocument], scope: str = "public") -> str:
    assert kb.ingest(Given(documents), scope=scope, vectors=False).state == "done"
    return fingerprint(kb.store)


def states(store: Store, name: str) -> dict[str, str]:
    rows = raw(store, f"MATCH (d:Document) WHERE d.{name} IS NOT NULL "
                      f"RETURN d.record AS r, d.scope AS s, d.{name} AS v")
    return {row["r"] if row["s"] == "public" else f"{row['s']}/{row['r']}": row["v"] for row in rows}


def keys(store: Store) -> dict[str, str]:
    return {row["r"]: row["k"] for row in raw(store, "MATCH (d:Document) RETURN d.record AS r, d.key AS k")}


def test_what_is_derived(kb: KnowledgeBase) -> None:
    take(kb, DOCUMENTS)
    key = keys(kb.store)
    assert states(kb.store, "work") == {"a": "doi:10.1/a", "b": "doi:10.1/a", "c": "doi:10.1/a", "g": "doi:10.1/g",
                                        "j": "pmid:77"}
    root = min(key["d"], key["e"], key["f"])
    assert states(kb.store, "duplicate_of") == {n: root for n in "def" if key[n] != root}
    assert states(kb.store, "retracted_at") == {"g": "2021-03-03", "j": "0000"}
    assert states(kb.store, "retracted_by") == {"g": key["i"], "j": "self"}
    assert kb.status()["likes"] == {"works of several documents": 1, "documents of these": 3, "near-duplicates": 2,
                                    "groups of these": 1}


def test_order_and_removal_leave_no_trace(kb: KnowledgeBase, request: pytest.FixtureRequest) -> None:
    chance = random.Random(4)
    whole = take(kb, DOCUMENTS)
    for _ in range(1 if "neo4j" in request.node.name else 2):
        order, gone = chance.sample(DOCUMENTS, len(DOCUMENTS)), set(chance.sample("abcdefghij", 4))
        wipe(kb.store)
        assert take(kb, order) == whole
        there = keys(kb.store)
        kb.store.transaction(lambda tx, gone=gone, there=there: remove_documents(tx, [there[n] for n in sorted(gone)]))
        left = fingerprint(kb.store)
        wipe(kb.store)
        assert take(kb, [one for one in DOCUMENTS if one.record not in gone]) == left, sorted(gone)


def test_scopes_are_apart_but_for_public_notices(kb: KnowledgeBase) -> None:
    mine = [replace(DOCUMENTS[6], tier="user"), replace(DOCUMENTS[3], tier="user"), DOCUMENTS[8]]
    take(kb, mine[:2], "mine")
    take(kb, [DOCUMENTS[4], DOCUMENTS[6]])
    take(kb, mine[2:], "mine")
    assert states(kb.store, "duplicate_of") == {}
    assert states(kb.store, "retracted_at") == {"mine/g": "2021-03-03"}  # a private notice is not the public's
    take(kb, [DOCUMENTS[7]])
    assert states(kb.store, "retracted_at") == {"mine/g": "2021-03-03", "g": "2022-02-02"}


def test_a_users_own_mark_is_left_alone(kb: KnowledgeBase) -> None:
    take(kb, DOCUMENTS[6:7])
    raw(kb.store, "MATCH (d:Document) SET d.retracted_at = '2030-01-01'")
    take(kb, DOCUMENTS[7:8])
    assert states(kb.store, "retracted_at") == {"g": "2030-01-01"}


def medline(folder: Path, number: int, *records: str) -> MedlineSource:
    path = folder / f"pubmed25n{number:04}.xml"
    path.write_text(f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>")
    return MedlineSource([path])


def record(pmid: int, title: str) -> str:
    return (f'<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID><Article><ArticleTitle>{title}'
            "</ArticleTitle></Article></MedlineCitation></PubmedArticle>")


def test_files_of_medline_in_any_order(kb: KnowledgeBase, tmp_path: Path) -> None:
    deleted = '<DeleteCitation><PMID Version="1">2</PMID></DeleteCitation>'
    sources = [medline(tmp_path, 1, record(1, "Aspirin treats headache."), record(2, "Two."), record(3, "Three.")),
               medline(tmp_path, 2, record(1, "Aspirin treats asthma."), record(3, "Three.")),
               medline(tmp_path, 3, record(1, "Aspirin treats headache."), deleted),
               medline(tmp_path, 4, record(4, "Four."))]
    found = set()
    for order in ((0, 1, 2, 3), (3, 2, 0, 1)):
        wipe(kb.store)
        for number in order:
            source = sources[number]
            source.deletions.clear()
            assert kb.ingest(source, vectors=False).state == "done"
        found.add(fingerprint(kb.store))
        titles = raw(kb.store, "MATCH (d:Document) RETURN d.title AS t, d.revision AS r ORDER BY t")
        assert [(row["t"], row["r"][:11]) for row in titles] == [
            ("Aspirin treats headache.", "001.2500003"), ("Four.", "001.2500004"), ("Three.", "001.2500002")]
    assert len(found) == 1
    assert kb.check() == []
