"""The part of PDF reading that runs in a process of its own: what the pages show, as JSON lines on standard output.

Started by `ingestion.sources.pdf_process` as a file, so that it loads nothing but the standard library and PDFium. It
limits itself before it opens the input: memory, CPU time, no file to write, and no descriptor left for a file or a
socket. Lines: ``{"pages": n}``, one object per page, ``{"end": true}``; or ``{"error": code, "detail": why}``.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import sys
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

MEMORY = 1 << 30
MAX_SIDE_PT = 14_400  # the largest page that the format itself allows
RENDER_SIDE = 1_200  # pixels of the longer side of the picture that colours are compared on
TINY_PT = 1.0
INVISIBLE = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
PALE = 245
GAP = 1.8  # a gap of this many font sizes may be the gap between two columns
HYPHEN = "\ufffe"
MIXED = "mixed"

# (size, bold, hidden, pale, font)
Style = tuple[float, bool, bool, bool, str]


class Refused(Exception):
    """The file is not taken: a code and why."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code, self.detail = code, detail


def limit(seconds: int) -> None:
    """Take away what reading a page needs not."""
    for name, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, 0),
                       (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(name, (most, most))
        except (ValueError, OSError):  # a system that has no such limit; the parent's clock is left
            continue


def close_doors() -> None:
    """Allow no further descriptor: no other file, no socket."""
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, lowest))


class Fragment:
    """Characters of one line without a wide gap between them."""

    def __init__(self, row: int) -> None:
        self.row = row
        self.characters: list[str] = []
        self.box = [math.inf, math.inf, -math.inf, -math.inf]
        self.sizes: dict[tuple[float, bool, str], int] = {}

    def add(self, character: str, box: tuple[float, float, float, float], style: Style) -> None:
        """Append a character that is shown."""
        self.characters.append(character)
        mine = self.box
        mine[0], mine[1] = min(mine[0], box[0]), min(mine[1], box[1])
        mine[2], mine[3] = max(mine[2], box[2]), max(mine[3], box[3])
        key = (round(style[0], 1), style[1], style[4])
        self.sizes[key] = self.sizes.get(key, 0) + 1

    def shown(self, page: Any, width: float, height: float) -> list[Any] | None:
        """Return the fragment for output, its box in points from the page's top left; None where it is blank."""
        text = "".join(self.characters).strip()
        if not text or not self.sizes:
            return None
        corners = [_device(page, width, height, x, y) for x, y in ((self.box[0], self.box[1]),
                                                                   (self.box[2], self.box[3]))]
        xs, ys = sorted(c[0] for c in corners), sorted(c[1] for c in corners)
        (size, _, font), most = max(self.sizes.items(), key=lambda item: (item[1], item[0]))
        enough = 0.9 * sum(self.sizes.values())
        bold = sum(count for (_, heavy, _), count in self.sizes.items() if heavy) >= enough
        if most < enough:
            font = MIXED
        return [self.row, text, xs[0], ys[0], xs[1], ys[1], size, bold, font]


def _device(page: Any, width: float, height: float, x: float, y: float) -> tuple[float, float]:
    right, down = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(page, 0, 0, round(width * 20), round(height * 20), 0, x, y, right, down)
    return round(right.value / 20, 2), round(down.value / 20, 2)


class Page:
    """The text of one page, character by character."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self.page = page
        self.text = page.get_textpage()
        self.width, self.height = page.get_size()
        self.hidden = 0
        self._styles: dict[int, Style] = {}
        self._last: Style = (0.0, False, True, False, "")
        self._picture: tuple[Any, float] | None = None

    def fragments(self) -> list[list[Any]]:
        """Return what the page shows, in the order of its content."""
        found: list[Fragment] = []
        current = Fragment(0)
        row = 0
        right = -math.inf
        for index in range(self.text.count_chars()):
            code = raw.FPDFText_GetUnicode(self.text, index)
            character = chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else ""
            if raw.FPDFText_IsGenerated(self.text, index) == 1:
                if character in "\r\n":
                    if current.characters:
                        found.append(current)
                    row += 1
                    current, right = Fragment(row), -math.inf
                elif character and current.characters:
                    current.characters.append(character)
                continue
            hyphen = raw.FPDFText_IsHyphen(self.text, index) == 1 or character in (HYPHEN, "\x02")
            box = self._box(index)
            style = self._style(index)
            if style[2] or not self._on_page(box) or (style[3] and self._blends(box)):
                self.hidden += bool(character.strip())
                continue
            if not hyphen and (not character.isprintable() and not character.isspace()) and not _private(character):
                continue  # control characters and noncharacters show nothing
            if box[0] - right > GAP * style[0] and current.characters:
                found.append(current)
                current = Fragment(row)
            if character.isspace() and not hyphen:
                current.characters.append(" ")
            else:
                current.add("-" if hyphen else character, box, style)
            right = box[2]
            if hyphen and self._turns(index, box):
                found.append(current)
                row += 1
                current, right = Fragment(row), -math.inf
        found.append(current)
        return [shown for one in found if (shown := one.shown(self.page, self.width, self.height))]

    def _turns(self, index: int, box: tuple[float, float, float, float]) -> bool:
        """Whether the next character stands on another line: PDFium leaves no line end after a hyphen."""
        if index + 1 >= self.text.count_chars() or raw.FPDFText_IsGenerated(self.text, index + 1) == 1:
            return False
        following = self._box(index + 1)
        return following[0] < box[0] or following[3] < box[1]

    def _box(self, index: int) -> tuple[float, float, float, float]:
        rect = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(self.text, index, rect)
        return rect.left, rect.bottom, rect.right, rect.top

    def _on_page(self, box: tuple[float, float, float, float]) -> bool:
        x, y = _device(self.page, self.width, self.height, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        return bool(-1 <= x <= self.width + 1 and -1 <= y <= self.height + 1)

    def _style(self, index: int) -> Style:
        text_object = raw.FPDFText_GetTextObject(self.text, index)
        if not text_object:
            return self._last
        address = ctypes.cast(text_object, ctypes.c_void_p).value or 0
        if address not in self._styles:
            matrix = raw.FS_MATRIX()
            raw.FPDFText_GetMatrix(self.text, index, matrix)
            size = raw.FPDFText_GetFontSize(self.text, index) * math.hypot(matrix.c, matrix.d)
            red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
            coloured = raw.FPDFText_GetFillColor(self.text, index, red, green, blue, alpha)
            pale = bool(coloured) and min(red.value, green.value, blue.value) >= PALE
            hidden = (raw.FPDFTextObj_GetTextRenderMode(text_object) in INVISIBLE or size < TINY_PT
                      or (bool(coloured) and alpha.value < 13))
            self._styles[address] = (size, *self._face(index, hidden, pale))
        self._last = self._styles[address]
        return self._last

    def _face(self, index: int, hidden: bool, pale: bool) -> tuple[bool, bool, bool, str]:
        name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        raw.FPDFText_GetFontInfo(self.text, index, name, 128, flags)
        font = name.value.decode("utf-8", "replace")
        bold = (raw.FPDFText_GetFontWeight(self.text, index) >= 600 or font.lower().endswith((".b", "-bd"))
                or any(word in font.lower() for word in ("bold", "black", "heavy", "semibd")))
        return bold, hidden, pale, font

    def _blends(self, box: tuple[float, float, float, float]) -> bool:
        """Whether pale text stands on a ground as pale: nothing dark in its box of the rendered page."""
        if self._picture is None:
            scale = min(2.0, RENDER_SIDE / max(self.width, self.height))
            self._picture = self.page.render(scale=scale, grayscale=True), scale
        picture, scale = self._picture
        pixels: memoryview[int] = memoryview(picture.buffer).cast("B")
        corners = [_device(self.page, self.width, self.height, box[0], box[1]),
                   _device(self.page, self.width, self.height, box[2], box[3])]
        (left, right), (top, bottom) = (sorted(c[axis] * scale for c in corners) for axis in (0, 1))
        columns = max(0, int(left)), min(picture.width, int(right) + 1)
        rows = (y * picture.stride for y in range(max(0, int(top)), min(picture.height, int(bottom) + 1)))
        darkest: int = min((min(pixels[row + columns[0]:row + columns[1]], default=PALE) for row in rows), default=PALE)
        return darkest >= PALE


def _private(character: str) -> bool:
    code = ord(character) if character else 0
    return 0xE000 <= code < 0xF900 or 0xF0000 <= code < 0xFFFFE or 0x100000 <= code < 0x10FFFE


def say(thing: dict[str, Any]) -> None:
    """Write one line."""
    sys.stdout.write(json.dumps(thing) + "\n")


def read(path: str, max_pages: int, max_characters: int) -> None:
    """Write what a file's pages show.

    Raises
    ------
    Refused
        The file as a whole cannot be taken.
    """
    try:
        document = pdfium.PdfDocument(path)
        close_doors()
        count = len(document)
    except pdfium.PdfiumError as error:
        password = raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD or "assword" in str(error)
        raise Refused(*(("GKB-420", "it asks for a password") if password
                        else ("GKB-405", "it is no PDF, or a damaged one"))) from None
    if count == 0:
        raise Refused("GKB-405", "it has no pages")
    if count > max_pages:
        raise Refused("GKB-410", f"{count} pages, ingest.pdf_max_pages is {max_pages}")
    say({"pages": count})
    characters = 0
    for number in range(count):
        try:
            page = document[number]
        except pdfium.PdfiumError:
            raise Refused("GKB-405", f"page {number + 1} cannot be read") from None
        width, height = page.get_size()
        if max(width, height) > MAX_SIDE_PT:
            raise Refused("GKB-410", f"page {number + 1} is {width:.0f} x {height:.0f} pt, at most {MAX_SIDE_PT}")
        reader = Page(page)
        fragments = reader.fragments()
        characters += sum(len(fragment[1]) for fragment in fragments)
        if characters > max_characters:
            raise Refused("GKB-410", f"more than {max_characters} characters (ingest.max_document_bytes)")
        say({"page": number + 1, "width": width, "height": height, "hidden": reader.hidden, "fragments": fragments})
        reader.text.close()
        page.close()
    say({"end": True})


def main() -> int:
    """Read the file that the arguments name."""
    path, seconds, max_pages, max_characters = sys.argv[1], *map(int, sys.argv[2:5])
    limit(seconds)
    try:
        read(path, max_pages, max_characters)
    except Refused as error:
        say({"error": error.code, "detail": error.detail})
    except MemoryError:
        say({"error": "GKB-421", "detail": f"it wants more than {MEMORY >> 20} MB of memory"})
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
