"""PubTator: round trips, quirks, and what is rejected with which reason."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model import ReadReport, SourceDocument
from ingestion.sources.marks import curie, curies
from ingestion.sources.pubtator import PubTatorSource

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12).filter(str.strip)
CLASSIC = (
    "227508|t|Naloxone reverses clonidine.\n227508|a|Naloxone causes hypertension in rats. It does not last.\n"
    "227508\t0\t8\tNaloxone\tChemical\tD009270\n227508\t18\t27\tclonidine\tChemical\tD003000\n"
    "227508\t29\t37\tNaloxone\tChemical\tD009270\n227508\t45\t57\thypertension\tDisease\tD006973\n"
    "227508\tCID\tD009270\tD006973\n\n"
)


def read(path: Path) -> tuple[list[SourceDocument], ReadReport]:
    report = ReadReport()
    return list(PubTatorSource([path]).documents(report)), report


def write(folder: Path, text: str, name: str = "a.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_a_classic_document(tmp_path: Path) -> None:
    (document,), report = read(write(tmp_path, CLASSIC))
    assert document.text == "Naloxone reverses clonidine.\nNaloxone causes hypertension in rats. It does not last."
    assert (document.record, document.identifiers, document.title) == (
        "227508",
        {"pmid": "227508"},
        "Naloxone reverses clonidine.",
    )
    assert [(document.text[a.start : a.end], a.type, a.codes) for a in document.annotations] == [
        ("Naloxone", "Chemical", ("MSH:D009270",)),
        ("clonidine", "Chemical", ("MSH:D003000",)),
        ("Naloxone", "Chemical", ("MSH:D009270",)),
        ("hypertension", "Disease", ("MSH:D006973",)),
    ]
    (said,) = document.statements
    assert (said.subject, said.predicate, said.object) == ("Naloxone", "CID", "hypertension")
    assert (said.subject_code, said.object_code) == ("MSH:D009270", "MSH:D006973")
    # the nearest two mentions, and the whole sentence that holds them
    assert document.text[said.start : said.end] == "Naloxone causes hypertension in rats."
    assert report.balanced()
    assert not report.rejected


@given(title=WORDS, abstract=st.lists(WORDS, min_size=1, max_size=6), data=st.data())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, title: str, abstract: list[str], data: st.DataObject
) -> None:
    body = " ".join(abstract)
    text = f"{title}\n{body}"
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    if "\n" in text[start:end] or "\t" in text[start:end]:
        return
    path = write(
        tmp_path_factory.mktemp("p"), f"7|t|{title}\n7|a|{body}\n7\t{start}\t{end}\t{text[start:end]}\tGene\t7157\n"
    )
    (document,), _ = read(path)
    assert document.text == text
    assert [(a.start, a.end, a.codes) for a in document.annotations] == [(start, end, ("NCBIGene:7157",))]


def test_nothing_is_moved_or_guessed(tmp_path: Path) -> None:
    lines = (
        "5\t1\t9\tNaloxone\tChemical\tD009270",
        "5\t0\t800\tNaloxone\tChemical\tD009270",
        "5\t8\t0\tx\tChemical\t-",
        "5\t0\t8\tNaloxone",
        "5\tCID\tD009270\tD006973",
        "5\tCID\tD009270",
        "5\t0\t8\tNaloxone\tChemical\t-1",
        "junk",
    )
    documents, report = read(
        write(
            tmp_path,
            "5|t|Naloxone reverses.\n5|a|\n" + "\n".join(lines) + "\n\n6|a|No title\n\n5|t|Again\n\n8|t| \n8|a|\n",
        )
    )
    assert [(d.record, d.text, [a.codes for a in d.annotations]) for d in documents] == [
        ("5", "Naloxone reverses.", [()])
    ]
    assert {
        (file.rpartition(": ")[2], code, reason): n
        for (file, code, reason), n in report.reasons.items()
        if ": " in file
    } == {
        ("annotations", "GKB-407", "another text stands at the offsets"): 1,
        ("annotations", "GKB-407", "the offsets lie outside the text"): 2,
        ("annotations", "GKB-406", "an annotation has fewer than five fields"): 1,
        ("relations", "GKB-409", "an end of the relation is not marked in the text"): 1,
        ("relations", "GKB-406", "a relation has fewer than four fields"): 1,
    }
    assert sorted(code for (file, code, _), n in report.reasons.items() if ": " not in file) == [
        "GKB-405",
        "GKB-405",
        "GKB-408",
        "GKB-411",
    ]
    assert report.balanced()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    packed = gzip.compress(CLASSIC.encode())
    (tmp_path / "cut.txt.gz").write_bytes(packed[:-9])
    documents, report = read(tmp_path / "cut.txt.gz")
    assert len(documents) == 1  # what came before the end is whole
    assert [code for _, code, _ in report.reasons] == ["GKB-404"]
    (tmp_path / "bad.txt").write_bytes(b"1|t|Ca\xff\n")
    with pytest.raises(InputError) as caught:
        read(tmp_path / "bad.txt")
    assert caught.value.code == "GKB-403"
    (tmp_path / "whole.txt.gz").write_bytes(packed)
    assert len(read(tmp_path / "whole.txt.gz")[0]) == 1


def test_codes() -> None:
    assert curies("D014786|D006311") == ("MSH:D014786", "MSH:D006311")
    assert curies("D001943+D010051") == ("MSH:D001943", "MSH:D010051")
    assert [
        curie("OMIM:300853"),
        curie("HP:0000007"),
        curie("UMLS:C0020538"),
        curie("MONDO:0005148"),
        curie("9606", "Species"),
        curie("12"),
        curie("-"),
        curie("MESH:-1"),
    ] == ["OMIM:300853", "HPO:HP:0000007", "UMLS:C0020538", "MONDO:0005148", "NCBI:9606", "", "", ""]


def test_published_corpora(shared_data: Path) -> None:
    """Counts of titles, annotation and CID lines, counted by hand with grep."""
    found = {}
    for name in (
        "bc5cdr/train_corpus.pubtator.txt",
        "bc5cdr/dev_corpus.pubtator.txt",
        "ncbi_disease/NCBIdevelopset_corpus.txt",
        "ncbi_disease/NCBItrainset_corpus.txt",
    ):
        documents, report = read(shared_data / name)
        found[name] = (
            len(documents),
            sum(len(d.annotations) for d in documents),
            sum(len(d.statements) for d in documents),
            sum(report.rejected.values()),
        )
    assert list(found.values()) == [(500, 9385, 1038, 0), (500, 9591, 1012, 0), (100, 787, 0, 0), (592, 5133, 0, 2)]
