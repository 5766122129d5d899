"""PDF files made by hand: sound ones, and such as no reader should follow."""

from __future__ import annotations

import zlib
from collections.abc import Sequence


def build(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Return a PDF of numbered objects; the first is the catalogue."""
    body = bytearray(b"%PDF-1.7\n")
    places = []
    for number, thing in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, thing)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(body)


def stream(content: bytes, packed: bool = False) -> bytes:
    """Return a stream object."""
    data = zlib.compress(content, 9) if packed else content
    kind = b"/Filter /FlateDecode " if packed else b""
    return b"<< %s/Length %d >>\nstream\n%s\nendstream" % (kind, len(data), data)


def document(contents: Sequence[bytes], size: tuple[float, float] = (612, 792), info: bytes = b"") -> bytes:
    """Return a PDF with a page of each content; /F1 is Helvetica, /F2 Helvetica-Bold."""
    count = len(contents)
    kids = b" ".join(b"%d 0 R" % (5 + 2 * number) for number in range(count))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"]
    for number, content in enumerate(contents):
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Contents %d 0 R "
                       b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (*size, 6 + 2 * number))
        objects.append(stream(content))
    trailer = b""
    if info:
        objects.append(info)
        trailer = b"/Info %d 0 R" % len(objects)
    return build(objects, trailer)


def show(text: str, x: float, y: float, *, size: float = 10, font: str = "F1", more: str = "") -> bytes:
    """Return the operators that draw a line of text with its foot at (x, y)."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"q BT {more} /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q\n".encode("cp1252")
