from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model import ReadReport, SourceDocument
from ingestion.sources import pdf_process
from ingestion.sources.jats import JatsSource
from ingestion.sources.pdf import PdfSource, own_doi
from ingestion.sources.pdf_layout import lay_out, lines_of
from ingestion.sources.pdf_process import Fragment, Limits, ReadPage, read_pages
from tests.helpers.pdf import build, document, show, stream

PROSE = "Metformin lowers the glucose of adults with diabetes and does so"


def read(folder: Path, data: bytes, name: str = "a.pdf") -> tuple[SourceDocument, ReadReport]:
    (folder / name).write_bytes(data)
    report = ReadReport()
    (one,) = PdfSource([folder / name]).documents(report)
    return one, report


def refusal(folder: Path, data: bytes, limits: Limits | None = None) -> InputError:
    (folder / "bad.pdf").write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(read_pages(folder / "bad.pdf", limits or Limits()))
    return caught.value


def test_lines_have_their_page_and_box(tmp_path: Path) -> None:
    one, report = read(tmp_path, document([show("Asthma", 72, 700, size=20) + show(PROSE, 72, 660),
                                           show("Second page.", 72, 700)]))
    assert one.text == f"Asthma\n\n{PROSE}\n\fSecond page."
    assert one.title == "Asthma"
    assert one.layout is not None
    assert one.layout.pages == ((612.0, 792.0), (612.0, 792.0))
    first, _, last = one.layout.lines
    assert one.text[first[0]:first[1]] == "Asthma"
    assert (last[2], one.text[last[0]:last[1]]) == (2, "Second page.")
    # Helvetica 20 at a foot of 700 pt: from the top it ends at 92 and a descent, and begins at least 14 pt above
    assert first[3] == pytest.approx(72, abs=2)
    assert 60 < first[4] < 78
    assert 91 < first[6] < 98
    assert report.notes == []


def test_metadata_is_no_evidence(tmp_path: Path) -> None:
    one, _ = read(tmp_path, document([show(PROSE, 72, 700)], info=b"<< /Title (Aspirin cures) /Subject (cancer) >>"))
    assert "Aspirin" not in one.text + one.title
    assert one.title == "a"


@pytest.mark.parametrize("hidden", [
    show("SECRET", 72, 600, more="3 Tr"), show("SECRET", 72, 600, more="7 Tr"),
    show("SECRET", 72, 600, more="1 1 1 rg"), show("SECRET", 72, 600, size=0.5), show("SECRET", 72, 3000),
    show("SECRET", -500, 600),
], ids=["render mode 3", "clip only", "white on white", "half a point", "above the page", "left of the page"])
def test_hidden_text_is_left_out_and_counted(tmp_path: Path, hidden: bytes) -> None:
    one, report = read(tmp_path, document([show("Seen.", 72, 700) + hidden]))
    assert one.text == "Seen."
    assert report.notes == [f"{tmp_path / 'a.pdf'}: 6 hidden characters left out"]


def test_white_on_dark_is_seen(tmp_path: Path) -> None:
    one, _ = read(tmp_path, document([b"0 0 0.5 rg 60 590 200 30 re f\n" + show("Shown", 72, 600, more="1 1 1 rg")]))
    assert one.text == "Shown"


def test_two_columns_drawn_across_are_read_down(tmp_path: Path) -> None:
    left = [f"left line {number} of the first column goes on" for number in range(12)]
    right = [f"right line {number} of the second one goes on" for number in range(12)]
    content = b"".join(show(left[n], 50, 680 - 12 * n) + show(right[n], 320, 680 - 12 * n) for n in range(12))
    head = show("A heading over both of the columns of this page, across the gap", 120, 720)
    one, _ = read(tmp_path, document([head + content]))
    assert [line for line in one.text.split("\n") if line][1:] == [*left, *right]


def test_a_table_is_not_two_columns(tmp_path: Path) -> None:
    content = b"".join(show(f"drug {n}", 60, 680 - 12 * n) + show(f"{n} mg", 360, 680 - 12 * n) for n in range(12))
    one, _ = read(tmp_path, document([content]))
    assert one.text.split("\n")[:2] == ["drug 0 0 mg", "drug 1 1 mg"]


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    pages = [show("Journal of Tests", 72, 770) + show(f"Body of page {n}.", 72, 400) + show(str(n), 300, 20)
             for n in range(1, 5)]
    one, report = read(tmp_path, document(pages))
    assert one.text == "\n\f".join(f"Body of page {n}." for n in range(1, 5))
    assert report.notes == [f"{tmp_path / 'a.pdf'}: 8 running heads and page numbers left out"]


def test_headings_become_sections_and_references_are_set_apart(tmp_path: Path) -> None:
    lines = [("Introduction", "F2"), (PROSE, "F1"), ("Methods", "F2"), (PROSE + " again", "F1"), ("References", "F2"),
             ("1. Smith J. Aspirin.", "F1")]
    content = b"".join(show(text, 72, 700 - 30 * n, font=font) for n, (text, font) in enumerate(lines))
    one, _ = read(tmp_path, document([content]))
    assert [(s.name, one.text[s.start:s.end]) for s in one.sections] == [
        ("Introduction", PROSE), ("Methods", PROSE + " again"), ("references", "1. Smith J. Aspirin.")]


def encrypted() -> bytes:
    return build([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                  b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
                  b"<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >>" % (b"41" * 32, b"42" * 32)],
                 b"/Encrypt 4 0 R /ID [<41> <41>]")


def looping() -> bytes:
    return build([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>"])


def drawing_itself() -> bytes:
    form = stream(b"/X Do").replace(b"<< ", b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject "
                                            b"<< /X 5 0 R >> >> ", 1)
    return build([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                  (b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject "
                  b"<< /X 5 0 R >> >> >>"), stream(b"/X Do"), form])


def many_pages(count: int) -> bytes:
    return document([b""] * count)


@pytest.mark.parametrize(("data", "code"), [
    (b"", "GKB-402"), (b"plain text", "GKB-405"), (b"%PDF-1.7\nnothing", "GKB-405"), (encrypted(), "GKB-420"),
    (looping(), "GKB-405"), (many_pages(10_000), "GKB-410"),
    (document([show("a", 1, 1)], size=(100_000, 100_000)), "GKB-410"),
    (document([show(PROSE, 72, 700)])[:300], "GKB-405"),
], ids=["empty", "text", "head only", "encrypted", "pages of themselves", "10,000 pages", "100,000 pt", "cut off"])
def test_bad_files_have_their_code(tmp_path: Path, data: bytes, code: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.monotonic()
    assert refusal(tmp_path, data).code == code
    assert time.monotonic() - started < 30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


def test_a_drawing_that_draws_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(drawing_itself())
    pages = list(read_pages(tmp_path / "a.pdf", Limits()))
    assert [len(page.fragments) for page in pages] == [0]
    with pytest.raises(InputError, match="GKB-408"):
        list(PdfSource([tmp_path / "a.pdf"]).documents(ReadReport()))


def run_instead(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    (folder / "child.py").write_text(body)
    monkeypatch.setattr(pdf_process, "CHILD", folder / "child.py")


def test_a_parser_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_instead(tmp_path, monkeypatch, "import time\ntime.sleep(60)")
    started = time.monotonic()
    error = refusal(tmp_path, document([b""]), Limits(seconds=0.5))
    assert (error.code, error.detail) == ("GKB-421", "no end after 0.5 s (ingest.pdf_timeout_s)")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("body", ["import os\nos.abort()", "raise SystemExit(3)", "print('{\"pages\": 1}')"])
def test_a_parser_that_breaks_is_an_error_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                      body: str) -> None:
    run_instead(tmp_path, monkeypatch, body)
    assert refusal(tmp_path, document([b""])).code == "GKB-421"


def test_the_parser_has_no_way_out(tmp_path: Path) -> None:
    """Memory, files and sockets are gone where the child has opened its input."""
    code = f"""
import sys; sys.path.insert(0, {str(pdf_process.CHILD.parent)!r})
import socket, pdf_child
pdf_child.limit(5); pdf_child.close_doors()
for act in (lambda: open({str(tmp_path / 'x')!r}, 'w'), lambda: socket.socket(), lambda: bytearray(2 << 30)):
    try: act()
    except (OSError, MemoryError) as error: print(type(error).__name__)
"""
    import subprocess

    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["OSError", "OSError", "MemoryError"]


def test_the_batch_goes_on(tmp_path: Path) -> None:
    for name, data in (("a", document([show(PROSE, 72, 700)])), ("b", encrypted()), ("c", b"%PDF-1.4 broken"),
                       ("d", document([show("Other text.", 72, 700)])), ("e", document([show(PROSE, 72, 700)]))):
        (tmp_path / f"{name}.pdf").write_bytes(data)
    report = ReadReport()
    found = [Path(one.path).name for one in PdfSource([tmp_path]).documents(report)]
    assert found == ["a.pdf", "d.pdf"]
    assert [(Path(r.file).name, r.code) for r in report.examples] == [
        ("b.pdf", "GKB-420"), ("c.pdf", "GKB-405"), ("e.pdf", "GKB-411")]
    assert report.balanced()


@pytest.mark.parametrize(("lines", "doi"), [
    (["DOI 10.1186/s12906-016-1408-2", "Abstract"], "10.1186/s12906-016-1408-2"),
    (["https://doi.org/10.1155/2016/8505384."], "10.1155/2016/8505384"),
    (["doi:10.1/x", "10.1234/abc"], "10.1234/abc"),
    (["10.1234/abc and 10.1234/def"], ""),
    (["References", "10.1234/abc"], ""),
    (["[3] Smith, 10.1234/abc"], ""), (["3. Smith, 10.1234/abc"], ""),
    (["doi 10.1234/abc-", "def"], ""), (["doi 10.1234/ab", "cdef"], ""), (["nothing"], ""),
])
def test_own_doi(lines: list[str], doi: str) -> None:
    assert own_doi(lines) == doi


fragments = st.builds(Fragment, st.integers(0, 30), st.text("ab c-1", min_size=1).map(str.strip).filter(bool),
                      st.floats(0, 300), st.floats(0, 700), st.floats(300, 600), st.floats(700, 792),
                      st.sampled_from([8.0, 10.0, 14.0]), st.booleans(), st.sampled_from(["A", "B"]))


@settings(max_examples=60)
@given(st.lists(st.lists(fragments, max_size=30), max_size=4))
def test_offsets_hold_for_any_page(pages: list[list[Fragment]]) -> None:
    read_ones = [ReadPage(n, 612, 792, 0, tuple(page)) for n, page in enumerate(pages, 1)]
    laid = lay_out(iter(read_ones))
    words = Counter(word for page in pages for f in page for word in f.text.split())
    kept = Counter(laid.text.split())
    assert kept <= words  # nothing is invented
    for start, end, page, *_ in laid.layout.lines:
        assert laid.text[start:end].strip()
        assert "\n" not in laid.text[start:end]
        assert 1 <= page <= len(pages)
    assert all(a.end <= b.start for a, b in zip(laid.sections, laid.sections[1:], strict=False))
    assert sum(len(lines_of(page)) for page in read_ones) == len(laid.layout.lines) + laid.running


def test_articles_against_their_jats(shared_data: Path) -> None:
    """At least 97 of 100 words of an article's JATS text stand in the PDF's, line ends within words mended."""
    import re

    for path in sorted((shared_data / "pdf" / "pmc").glob("*.pdf")):
        (one,) = PdfSource([path]).documents(ReadReport())
        (article,) = JatsSource([path.with_suffix(".xml")]).documents(ReadReport())
        there = Counter(re.findall(r"\w+", one.text.replace("-\n", "").lower()))
        wanted = Counter(re.findall(r"\w+", article.text.lower()))
        assert (there & wanted).total() / wanted.total() > 0.97, path.name
        assert one.identifiers.get("doi", article.identifiers.get("doi")) == article.identifiers.get("doi")
        assert len(one.sections) > 4
