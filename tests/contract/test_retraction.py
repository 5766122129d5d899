"""Retraction on every server: the graph is then as if the documents had never been taken; marks and dates."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphkb.config import Settings
from graphkb.errors import ConfigError, IngestError
from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.retraction import receipts, verify
from ingestion.sources import MimicSource, TextSource
from retrieval.concepts import concept_card
from tests.helpers import corpus as c
from tests.servers import raw, wipe

SENTENCES = ("Lisinopril treats hypertension.", "Aspirin treats headache.", "Aspirin causes asthma in some.",
             "Prinivil treats high blood pressure.", "No asthma was seen.", "Headache was mild.",
             "Breast cancer was ruled out.", "Lisinopril is contraindicated in asthma.")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> c.Corpus:
    return c.write(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def kb(store: Store, store_settings: Settings, corpus: c.Corpus, tmp_path: Path) -> Iterator[KnowledgeBase]:
    """Give a knowledge base with the vocabulary; its files are the test's own."""
    wipe(store)
    settings = c.fast(store_settings)
    for name in ("index", "runs", "receipts"):
        shutil.rmtree(settings.data_dir / name, ignore_errors=True)
    with KnowledgeBase(settings) as made:
        corpus.load(made, ("vocabulary",))
        yield made


def text(folder: Path, name: str, *sentences: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(" ".join(sentences) + "\n")
    return path


def take(kb: KnowledgeBase, *paths: Path, vectors: bool = False) -> str:
    report = kb.ingest(TextSource(list(paths)), vectors=vectors)
    assert report.state == "done"
    return report.key


def keys(kb: KnowledgeBase, where: str = "true") -> list[str]:
    return [row["key"] for row in raw(kb.store, f"MATCH (d:Document) WHERE {where} RETURN d.key AS key ORDER BY key")]


def pairs(kb: KnowledgeBase, folder: Path, many: int) -> None:
    chance = random.Random(20261201)
    empty = fingerprint(kb.store)
    for n in range(many):
        made = [text(folder, f"{n}{name}.txt", f"Report {n}{name}.", *chance.sample(SENTENCES, chance.randint(1, 5)))
                for name in "ab"]
        first, second = (made, made[::-1])[n % 2]
        take(kb, second)
        alone = fingerprint(kb.store)
        remaining = keys(kb)
        kb.retract(document=remaining, reason="made room")
        assert fingerprint(kb.store) == empty
        take(kb, first)
        gone = keys(kb)
        take(kb, second)
        done = kb.retract(document=gone, reason="a test")
        assert fingerprint(kb.store) == alone, (n, first.read_text(), second.read_text())
        assert done.receipt is not None
        assert sum(done.receipt.residue.values()) == 0
        assert keys(kb) == remaining
        kb.retract(document=remaining, reason="made room")
    assert verify(kb.store, kb.settings.data_dir) == []
    assert len(receipts(kb.settings.data_dir)) == 3 * many


def test_retracting_one_of_two_leaves_the_other_alone(kb: KnowledgeBase, tmp_path: Path,
                                                      request: pytest.FixtureRequest) -> None:
    pairs(kb, tmp_path / "t", 2 if "neo4j" in request.node.name else 10)


@pytest.mark.full
def test_retracting_one_of_two_a_hundred_times(kb: KnowledgeBase, tmp_path: Path) -> None:
    pairs(kb, tmp_path / "t", 100)


def test_a_subject_and_a_run_go_without_a_trace(kb: KnowledgeBase, corpus: c.Corpus, tmp_path: Path) -> None:
    vocabulary = fingerprint(kb.store)
    corpus.load(kb, ("texts",))
    before = fingerprint(kb.store)
    run = take(kb, text(tmp_path / "t", "own.txt", "A line of its own.", *SENTENCES[:3]))
    assert kb.retract(run=[run], reason="a wrong folder").documents == 1
    assert fingerprint(kb.store) == before
    corpus.load(kb, ("mimic", "notes"))
    done = kb.retract(subject=["99000001"], reason="consent withdrawn")
    assert done.receipt is not None
    assert done.receipt.removed["nodes"]["Patient"] == 1
    assert raw(kb.store, "MATCH (p:Patient) RETURN p.subject_id AS id") == [{"id": "99000002"}]
    kb.retract(subject=["99000002"], reason="consent withdrawn")
    assert fingerprint(kb.store) == before, "no name, no local concept, no statement is left of either"
    kb.retract(source=["files", "A textbook"], reason="licence")
    assert fingerprint(kb.store) == vocabulary
    for source in ("S1", "S2", "ICD9CM"):
        assert kb.retract(source=[source], reason="licence").receipt is not None
    assert raw(kb.store, "MATCH (n) WHERE n:Concept OR n:Code OR n:Source RETURN count(n) AS n") == [{"n": 0}]
    assert [problem for problem in kb.check() if not problem["repairable"]] == []


def test_what_is_not_there_or_not_in_scope_is_an_error(kb: KnowledgeBase, tmp_path: Path) -> None:
    take(kb, text(tmp_path / "t", "a.txt", SENTENCES[0]))
    for given in ({"document": ["no"]}, {"subject": ["1"]}, {"run": ["no"]}, {"source": ["no"]}):
        with pytest.raises(IngestError, match="GKB-630"):
            kb.retract(**given, reason="x")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="GKB-103"):
        kb.retract(document=keys(kb), reason=" ")
    assert kb.retract(document=keys(kb), reason="", dry_run=True).documents == 1
    assert len(keys(kb)) == 1
    assert receipts(kb.settings.data_dir) == []


def test_values_of_a_patient_are_the_same_in_any_order_and_go_with_their_document(kb: KnowledgeBase,
                                                                                  tmp_path: Path) -> None:
    folders = []
    for n, (gender, stay) in enumerate((("F", "URGENT"), ("M", "ELECTIVE"))):
        place = c.write(tmp_path / str(n)).mimic
        for name in ("patients", "admissions"):
            table = place / "hosp" / f"{name}.csv"
            table.write_text(table.read_text().replace("99000001,F", f"99000001,{gender}").replace("URGENT", stay))
        folders.append(place)

    def load(*order: int) -> tuple[str, list[dict[str, Any]]]:
        for n in order:
            kb.ingest(MimicSource(folders[n]), scope="local", vectors=False)
        rows = raw(kb.store, "MATCH (e:Encounter {hadm_id: '88000001'})-[:OF_PATIENT]->(p) "
                             "RETURN p.gender AS gender, e.type AS type")
        return fingerprint(kb.store), rows

    found = []
    for order in ((0, 1), (1,)):
        found.append(load(*order))
        kb.retract(subject=["99000001", "99000002"], reason="again")
    assert found[0] == found[1], "the second tables are the newer version of the same records"
    assert found[0][1] == [{"gender": "M", "type": "ELECTIVE"}]


def test_the_greatest_value_counts_until_its_document_goes(kb: KnowledgeBase, tmp_path: Path) -> None:
    one = text(tmp_path / "t", "a.md", "---\nsource: S\nversion: 1\nlicence: CC0\n---\nOne text.")
    two = text(tmp_path / "t", "b.md", "---\nsource: S\nversion: 1\nlicence: ODbL\n---\nAnother text.")
    licence = "MATCH (s:Source {name: 'S'}) RETURN s.licence AS licence"
    take(kb, two)
    (key,) = keys(kb)
    take(kb, one)
    assert raw(kb.store, licence) == [{"licence": "ODbL"}]
    kb.retract(document=[key], reason="x")
    assert raw(kb.store, licence) == [{"licence": "CC0"}]


def test_a_marked_document_is_out_of_answers_and_in_as_of_earlier(kb: KnowledgeBase, tmp_path: Path) -> None:
    old = text(tmp_path / "t", "old.md", "---\npublished: 2019-05\n---\nAspirin treats headache.")
    new = text(tmp_path / "t", "new.md", "---\npublished: 2021-02-03\n---\nLisinopril treats hypertension.")
    take(kb, old, new, vectors=True)
    (aspirin,) = keys(kb, "d.published = '2019-05'")
    before = fingerprint(kb.store)
    question = "Does aspirin treat headache?"

    def found(**given: Any) -> set[str]:
        return {piece.document for piece in kb.retrieve(question, **given)}

    def card(as_of: str = "") -> list[str]:
        return [piece.text for piece in concept_card(kb.store, c.ASPIRIN, ("public",), as_of=as_of)]

    assert len(found()) == 2
    assert found(as_of="2020") == {aspirin}
    assert found(as_of="2018-12-31") == set()
    assert found(as_of="2019") == {aspirin}
    assert kb.retract(document=[aspirin], reason="the authors", action="mark", date="2022-06-01").documents == 1
    assert aspirin not in found()
    assert aspirin in found(as_of="2022-05")
    assert aspirin not in found(as_of="2022-06")
    (piece,) = [one for one in kb.retrieve(question, as_of="2020") if one.document == aspirin]
    assert piece.valid["retracted_at"] == "2022-06-01", "the later retraction is shown"
    assert "aspirin treats Headache [TEXT]" not in card()
    assert "aspirin treats Headache [TEXT]" in card("2020")
    assert "aspirin treats Headache [TEXT]" not in card("2018")
    assert (kb.ask(question).abstained, kb.ask(question, as_of="2018").abstained) == (True, True)
    kb.retract(document=[aspirin], reason="by mistake", action="unmark")
    assert fingerprint(kb.store) == before
    assert aspirin in found()
    with pytest.raises(ConfigError, match="GKB-103"):
        kb.ask(question, as_of="01/02/2020")


def test_one_text_at_two_places_stays_while_one_has_it(kb: KnowledgeBase, tmp_path: Path) -> None:
    a = text(tmp_path / "t", "a.txt", "The same text.")
    b = text(tmp_path / "t", "b.txt", "The same text.")
    take(kb, a, b)
    (key,) = keys(kb)
    a.write_text("Something else.")
    take(kb, a, b)
    assert len(keys(kb)) == 2
    assert key in keys(kb), "editing one copy does not remove the other"
    b.write_text("Now this, too.")
    take(kb, b)
    assert key not in keys(kb)
    b.write_text("Something else.")  # the text of a: what b said goes
    take(kb, b)
    assert len(keys(kb)) == 1
    b.rename(tmp_path / "t" / "c.txt")
    a.unlink()
    take(kb, tmp_path / "t" / "c.txt")
    (tmp_path / "t" / "c.txt").write_text("Moved, then changed.")
    take(kb, tmp_path / "t" / "c.txt")
    assert len(keys(kb)) == 1
    assert raw(kb.store, "MATCH (m:Meta) WHERE m.key STARTS WITH 'meta:file:' RETURN count(m) AS n") == [{"n": 0}]


def test_kept_versions_are_found_as_of_their_time_only(kb: KnowledgeBase, tmp_path: Path) -> None:
    kept = kb.settings.model_copy(update={"ingest": kb.settings.ingest.model_copy(update={"keep_versions": True})})
    place = text(tmp_path / "t", "a.md", "---\npublished: 2019\n---\nAspirin treats headache.")
    with KnowledgeBase(kept) as other:
        take(other, place, vectors=True)
        (old,) = keys(kb)
        place.write_text("---\npublished: 2021\n---\nAspirin treats headache, we said; that was too bold.")
        assert dict(other.ingest(TextSource([place])).documents) == {"superseded": 1}
        (new,) = [key for key in keys(kb) if key != old]
        assert {one.document for one in other.retrieve("aspirin headache")} == {new}
        assert {one.document for one in other.retrieve("aspirin headache", as_of="2020")} == {old}
        assert dict(other.ingest(TextSource([place])).documents) == {"unchanged": 1}
        place.write_text("---\npublished: 2019\n---\nAspirin treats headache.\n")
        other.ingest(TextSource([place]))
        assert {one.document for one in other.retrieve("aspirin headache")} == {old}, "it came back"
        assert other.check() == []


def test_update_reads_what_is_known_and_tells_what_is_gone(kb: KnowledgeBase, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    a, b = text(folder, "a.txt", "First."), text(folder, "b.txt", "Second.")
    kb.ingest(TextSource([folder], tier="user"), scope="local", command="ingest text", vectors=False)
    a.write_text("First, changed.")
    b.unlink()
    text(folder, "c.txt", "Third, new.")
    done = kb.update([folder], vectors=False)
    (report,) = done.reports
    assert (report.command, report.scope) == ("update text", "local"), "a new file goes where its neighbours went"
    assert dict(report.documents) == {"superseded": 1, "created": 1}
    assert list(done.missing.values()) == [[str(b)]]
    assert len(keys(kb)) == 3
    removed = kb.update([folder], vectors=False, remove_missing=True).retracted
    assert removed is not None
    assert removed.documents == 1
    assert len(keys(kb)) == 2
    assert kb.update([folder], vectors=False).missing == {}


def test_update_failed_takes_what_was_rejected(kb: KnowledgeBase, tmp_path: Path) -> None:
    bad = text(tmp_path / "t", "bad.txt", "x")
    bad.write_bytes(b"\xff\xfe broken")
    text(tmp_path / "t", "good.txt", "Good.")
    assert kb.ingest(TextSource([tmp_path / "t"]), command="ingest text", vectors=False).state == "partial"
    bad.write_text("Mended.")
    (report,) = kb.update(failed=True, vectors=False).reports
    assert dict(report.documents) == {"created": 1}


def test_no_file_of_ours_has_a_word_of_it(kb: KnowledgeBase, tmp_path: Path) -> None:
    canary = "Xanthoquillor"
    note = ("---\npatient: 99000001\nkind: note\n---\nHospital Course:\nGiven " + canary + " for headache.\n")
    path = text(tmp_path / "t", f"{canary}.md", note)
    kb.ingest(TextSource([path], tier="user"), scope="local")
    text(tmp_path / "t", "other.txt", SENTENCES[0])
    take(kb, tmp_path / "t" / "other.txt", vectors=True)
    (record,) = [row["r"] for row in raw(kb.store, "MATCH (d:Document {kind: 'note'}) RETURN d.record AS r")]
    assert kb.retrieve(canary, patient="99000001")
    kb.retract(subject=["99000001"], reason="withdrawn")
    for place in sorted(kb.settings.data_dir.rglob("*")):
        name = place.relative_to(kb.settings.data_dir).as_posix()
        # the servers' own files are not ours: docs/retract.md says what stays in them, and for how long
        if place.is_file() and not name.startswith(("store/databases", "store/backups")) and "/data/" not in name:
            content = place.read_bytes()
            for word in (canary, record, "99000001"):
                assert word.encode() not in content, name
    told = json.dumps(receipts(kb.settings.data_dir))
    assert (canary in told, "99000001" in told) == (False, False)
