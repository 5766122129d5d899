"""Ingestion on every server: one graph whatever the order, nothing twice, nothing left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphkb.config import Settings
from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from tests.helpers import corpus as c
from tests.servers import raw, wipe

# each server's fingerprint of the whole corpus, in this session: they are one
_SEEN: dict[str, str] = {}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> c.Corpus:
    return c.write(tmp_path_factory.mktemp("corpus"))


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


def nodes(kb: KnowledgeBase) -> dict[str, int]:
    counted = kb.status()["nodes"]
    return {name: n for name, n in counted.items() if n and name not in ("Run", "Meta", "Dirty")}


def texts_of(kb: KnowledgeBase, folder: Path) -> str:
    assert kb.ingest(TextSource([folder]), vectors=False).state == "done"
    return fingerprint(kb.store)


def test_orders_and_servers_make_one_graph(fresh: Callable[[], KnowledgeBase], corpus: c.Corpus,
                                           request: pytest.FixtureRequest) -> None:
    orders = [c.STEPS, ("notes", "mimic", "articles", "texts", "vocabulary"),
              ("mimic", "texts", "vocabulary", "notes", "articles")]
    if "neo4j" in request.node.name:
        orders = orders[1:2]  # compared with the other servers' below
    found = [corpus.load(fresh(), order) for order in orders]
    assert len(set(found)) == 1
    _SEEN[request.node.name] = found[0]
    assert len(set(_SEEN.values())) == 1, sorted(_SEEN)


def test_again_changes_nothing(fresh: Callable[[], KnowledgeBase], corpus: c.Corpus) -> None:
    kb = fresh()
    before = corpus.load(kb, c.STEPS)
    counted = nodes(kb)
    assert counted == {"Source": 8, "Document": 10, "Chunk": counted["Chunk"], "Mention": counted["Mention"],
                       "Concept": 8, "Code": 7, "Statement": 4, "Patient": 2, "Encounter": 2}
    assert kb.check() == []
    for name in c.STEPS[1:]:
        report = corpus.step(name)(kb)
        assert set(report.documents) == {"unchanged"}
        assert report.counts["relinked"] == 0
    corpus.step("vocabulary")(kb)
    assert fingerprint(kb.store) == before
    assert nodes(kb) == counted


def test_statements_are_shared_and_backed_by_each_document(fresh: Callable[[], KnowledgeBase], corpus: c.Corpus,
                                                           tmp_path: Path) -> None:
    kb = fresh()
    corpus.load(kb, ("vocabulary",))
    place = tmp_path / "t"
    place.mkdir()
    (place / "a.txt").write_text("Aspirin treats headache.")
    one = texts_of(kb, place)
    (place / "b.txt").write_text("We saw that aspirin treats headache.")
    texts_of(kb, place)
    ask = "MATCH (t:Statement)-[e:EVIDENCED_BY]->() RETURN t.text AS text, count(e) AS n"
    assert raw(kb.store, ask) == [{"text": "aspirin treats Headache", "n": 2}]
    assert raw(kb.store, "MATCH (:Concept)-[e:TREATS {sab: 'TEXT'}]->(:Concept) RETURN count(e) AS n") == [{"n": 1}]
    # the file says something else now: its evidence goes, the statement stays while the other file backs it
    (place / "b.txt").write_text("Nothing was seen.")
    texts_of(kb, place)
    assert raw(kb.store, ask) == [{"text": "aspirin treats Headache", "n": 1}]
    (place / "a.txt").write_text("Nothing at all.")
    texts_of(kb, place)
    assert not {"Statement", "Mention"} & nodes(kb).keys()
    assert raw(kb.store, "MATCH (:Concept)-[e:TREATS {sab: 'TEXT'}]->(:Concept) RETURN count(e) AS n") == [{"n": 0}]
    (place / "b.txt").unlink()
    (place / "a.txt").write_text("Aspirin treats headache.")
    remove(kb, "Nothing was seen.")
    assert texts_of(kb, place) == one, "a text that came back makes the graph that it made first"


def remove(kb: KnowledgeBase, text: str) -> None:
    from ingestion.retract import remove_documents

    keys = [row["key"] for row in raw(kb.store, "MATCH (c:Chunk {text: $text}) RETURN c.document AS key", text=text)]
    assert len(keys) == 1
    kb.store.transaction(lambda tx: remove_documents(tx, keys))


def test_removing_everything_leaves_the_vocabulary_alone(fresh: Callable[[], KnowledgeBase], corpus: c.Corpus) -> None:
    from ingestion.retract import remove_documents

    kb = fresh()
    alone = corpus.load(kb, ("vocabulary",))
    corpus.load(kb, c.STEPS[1:])
    assert fingerprint(kb.store) != alone
    for row in raw(kb.store, "MATCH (d:Document) RETURN d.key AS key ORDER BY key"):
        kb.store.transaction(lambda tx, key=row["key"]: remove_documents(tx, [key]))
        assert [p for p in kb.check() if not p["repairable"]] == []
    assert fingerprint(kb.store) == alone
    assert raw(kb.store, "MATCH (d:Dirty) RETURN count(d) AS n") == [{"n": 0}]


def test_a_moved_file_and_a_new_one_in_its_place(fresh: Callable[[], KnowledgeBase], tmp_path: Path) -> None:
    kb = fresh()
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("The first text.")
    assert dict(kb.ingest(TextSource([old]), vectors=False).documents) == {"created": 1}
    old.rename(new)
    assert dict(kb.ingest(TextSource([new]), vectors=False).documents) == {"unchanged": 1}
    old.write_text("Another text.")
    assert dict(kb.ingest(TextSource([old]), vectors=False).documents) == {"created": 1}
    assert nodes(kb)["Document"] == 2, "the text that moved is still there"
    new.write_text("The first text, revised.")
    assert dict(kb.ingest(TextSource([new]), vectors=False).documents) == {"superseded": 1}
    assert nodes(kb)["Document"] == 2


def test_a_changed_vocabulary_ends_in_the_graph_of_a_fresh_one(fresh: Callable[[], KnowledgeBase], corpus: c.Corpus,
                                                               tmp_path: Path) -> None:
    more = c.write_meta(tmp_path / "META", more=True)
    kb = fresh()
    corpus.load(kb, c.STEPS)
    report = kb.ingest_vocabulary(more, vectors=False)
    assert report.counts["relinked"] == 10, "every document has another lexicon now"
    later = fingerprint(kb.store)
    kb = fresh()
    kb.ingest_vocabulary(more, vectors=False)
    assert corpus.load(kb, c.STEPS[1:]) == later
    assert raw(kb.store, "MATCH (:Encounter)-[f:PRESCRIBED {name: 'Zorvex'}]->(k:Concept) RETURN DISTINCT k.key AS k"
               ) == [{"k": "C9100009"}]
