"""Text and Markdown: the text is the file's, sections lie inside it, front matter says what it may."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import ReadReport, SourceDocument, Tier
from ingestion.sources.text import FRONT_MATTER, TextSource, front_matter, markdown_headings


def read(path: Path, text: str | bytes, tier: Tier = "literature", **options: str) -> SourceDocument:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    report = ReadReport()
    (document,) = TextSource([path], tier, **options).documents(report)  # type: ignore[arg-type]
    assert report.balanced()
    return document


def parts(document: SourceDocument) -> list[tuple[str, str]]:
    return [(s.name, document.text[s.start:s.end]) for s in document.sections]


def test_markdown_headings_become_sections_without_their_line(tmp_path: Path) -> None:
    text = "intro\r\n# Warfarin\r\n\r\nSlows clotting.\r\n## Use #\r\nAF.\r\n```\n# no heading\n```\n# Empty\n# Last\nx"
    document = read(tmp_path / "a.md", text)
    assert document.text == text
    assert (document.title, document.kind, document.record) == ("Warfarin", "text", ids.content_hash(text))
    assert parts(document) == [("Warfarin", "Slows clotting."),
                               ("Warfarin > Use", "AF.\r\n```\n# no heading\n```"), ("Last", "x")]


def test_plain_text_has_its_stem_for_a_title_and_no_sections(tmp_path: Path) -> None:
    document = read(tmp_path / "some.note.txt", b"\xef\xbb\xbf# Not Markdown\nAllergies: none")
    assert (document.title, document.text, document.sections) == \
        ("some.note", "# Not Markdown\nAllergies: none", ())


def test_front_matter_is_read_and_kept_out_of_the_sections(tmp_path: Path) -> None:
    text = ('---\ntitle: "A: note"\nsource: Book\nversion: 2\nlicense: CC BY 4.0\nurl: https://x.org/a\n'
            'published: 2023-05\npatient: 10001217\nencounter: 24597018\ncolour: blue\n---\n# Head\nBody.\n')
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    report = ReadReport()
    (document,) = TextSource([path]).documents(report)
    assert document.title == "A: note"
    assert (document.source.name, document.source.version, document.source.licence) == ("Book", "2", "CC BY 4.0")
    assert document.identifiers == {"licence": "CC BY 4.0", "url": "https://x.org/a"}
    assert document.published == "2023-05"
    assert document.kind == "note"
    assert document.patient is not None
    assert document.encounter is not None
    assert (document.patient.subject_id, document.encounter.hadm_id) == ("10001217", "24597018")
    assert document.text == text
    assert [name for name, _ in parts(document)] == [FRONT_MATTER, "Head"]
    assert parts(document)[1] == ("Head", "Body.")
    assert report.notes == [f"{path}: front matter not used: colour"]


def test_a_users_note_is_read_by_its_clinical_headings(tmp_path: Path) -> None:
    text = "---\npatient: 7\n---\n# Visit\nPMH: HTN\n## Family History\nFather had MI.\n## Hobbies\nSailing.\n"
    assert parts(read(tmp_path / "a.md", text, "user"))[1:] == \
        [("PMH", "HTN"), ("Family History", "Father had MI."), ("Visit > Hobbies", "Sailing.")]
    note = read(tmp_path / "b.txt", "Allergies: Penicillins\nPlan: rest\n", "user", patient="12")
    assert parts(note) == [("Allergies", "Penicillins"), ("Plan", "rest")]
    assert note.patient is not None
    assert (note.patient.subject_id, note.kind, note.tier) == ("12", "note", "user")


@pytest.mark.parametrize(("text", "code"), [
    (b"", "GKB-402"), (b" \r\n\t\n", "GKB-408"), (b"---\ntitle: x\n---\n \n", "GKB-408"),
    (b"M\xe9", "GKB-403"), (b"a\nb\0c", "GKB-405"), (b"---\npatient: 1.0\n---\nx", "GKB-407"),
    (b"---\npublished: May 2020\n---\nx", "GKB-407"), (b"---\nkind: poem\n---\nx", "GKB-407")])
def test_what_cannot_be_taken_is_refused_with_its_code(tmp_path: Path, text: bytes, code: str) -> None:
    with pytest.raises(InputError, match=code):
        read(tmp_path / "a.md", text)


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    (tmp_path / "b.txt").write_text("good")
    (tmp_path / "c.txt").write_text("good")
    report = ReadReport()
    assert [d.title for d in TextSource([tmp_path, tmp_path / "none.txt"]).documents(report)] == ["b", "c"]
    assert [(Path(e.file).name, e.code) for e in report.examples] == \
        [("a.txt", "GKB-402"), ("none.txt", "GKB-401")]
    assert report.balanced()


def test_control_characters_other_than_nul_are_kept(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", b"a\x0bb\x1f\x7f").text == "a\x0bb\x1f\x7f"


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\ufeff"), min_size=1),
       st.sampled_from(["user", "literature"]))
def test_sections_are_disjoint_ordered_and_inside(tmp_path_factory: pytest.TempPathFactory, body: str,
                                                  tier: Tier) -> None:
    text = f"# A\n{body}\n## B\nx\n"
    document = read(tmp_path_factory.mktemp("t") / "a.md", text, tier)
    assert document.text == text
    edges = [edge for s in document.sections for edge in (s.start, s.end)]
    assert edges == sorted(edges)
    assert all(text[s.start:s.end].strip() for s in document.sections)


def test_front_matter_that_is_not_closed_is_text() -> None:
    assert front_matter("---\ntitle: x\n").end == 0
    assert front_matter("no\n---\n---\n").end == 0


def test_headings_in_an_unclosed_fence_do_not_count() -> None:
    assert [h.path for h in markdown_headings("# A\n~~~\n# B\n")] == ["A"]
