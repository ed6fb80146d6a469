"""Writes small PDF files by hand, so that each test says exactly what stands where on a page."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Text at a place on a page, measured from its lower left corner."""

    text: str
    x: float
    y: float
    size: float = 10
    font: str = "F1"
    """F1 is a book face, F2 a typewriter face."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A bookmark to a page, counted from 0."""

    title: str
    page: int
    top: float = 800


PICTURE = (
    b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
    b"/Length 1 >>\nstream\n\x80\nendstream"
)


def a_pdf(
    pages: Sequence[Sequence[Words]],
    *,
    bookmarks: Sequence[Mark] = (),
    title: str = "",
    is_encrypted: bool = False,
    pictures: Sequence[int] = (),
) -> bytes:
    """A PDF with these pages; those numbered in *pictures* (from 0) show a picture."""
    writer = _Writer()
    fonts = [
        writer.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode())
        for name in ("Times-Roman", "Courier")
    ]
    picture = writer.add(PICTURE)
    tree = writer.reserve()
    numbers = []
    for index, words in enumerate(pages):
        drawn = _drawn(words) + (b"q 400 0 0 400 50 50 cm /Im Do Q\n" if index in pictures else b"")
        content = writer.add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
        resources = f"<< /Font << /F1 {fonts[0]} 0 R /F2 {fonts[1]} 0 R >> /XObject << /Im {picture} 0 R >> >>"
        frame = f"/Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842]"
        page = f"<< {frame} /Contents {content} 0 R /Resources {resources} >>"
        numbers.append(writer.add(page.encode()))
    kids = " ".join(f"{number} 0 R" for number in numbers)
    writer.put(tree, f"<< /Type /Pages /Count {len(numbers)} /Kids [{kids}] >>".encode())
    outline = _outline(writer, bookmarks, numbers)
    catalog = writer.add(f"<< /Type /Catalog /Pages {tree} 0 R{outline} >>".encode())
    info = writer.add(f"<< /Title ({title}) >>".encode())
    return writer.finished(catalog, info, is_encrypted=is_encrypted)


def column(
    lines: Sequence[str], *, x: float = 72, top: float = 740, step: float = 13, size: float = 10
) -> list[Words]:
    """Lines below each other."""
    return [Words(line, x, top - step * at, size) for at, line in enumerate(lines)]


def wrapped(text: str, width: int = 70) -> list[str]:
    """The text in lines no longer than *width*."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > width:
            lines.append(line.strip())
            line = ""
        line += f" {word}"
    return [*lines, line.strip()]


def _drawn(words: Sequence[Words]) -> bytes:
    shown = [
        f"BT /{each.font} {each.size} Tf {each.x} {each.y} Td ({_escaped(each.text)}) Tj ET" for each in words
    ]
    return "\n".join(shown).encode("cp1252")


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _outline(writer: "_Writer", bookmarks: Sequence[Mark], pages: Sequence[int]) -> str:
    if not bookmarks:
        return ""
    root = writer.reserve()
    items = [writer.reserve() for _ in bookmarks]
    for at, mark in enumerate(bookmarks):
        neighbours = (f" /Prev {items[at - 1]} 0 R" if at else "") + (
            f" /Next {items[at + 1]} 0 R" if at + 1 < len(items) else ""
        )
        target = f"/Dest [{pages[mark.page]} 0 R /XYZ 0 {mark.top} 0]"
        writer.put(
            items[at], f"<< /Title ({_escaped(mark.title)}) /Parent {root} 0 R {target}{neighbours} >>".encode()
        )
    writer.put(
        root, f"<< /Type /Outlines /First {items[0]} 0 R /Last {items[-1]} 0 R /Count {len(items)} >>".encode()
    )
    return f" /Outlines {root} 0 R"


class _Writer:
    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def add(self, body: bytes) -> int:
        self._objects.append(body)
        return len(self._objects)

    def reserve(self) -> int:
        return self.add(b"null")

    def put(self, number: int, body: bytes) -> None:
        self._objects[number - 1] = body

    def finished(self, catalog: int, info: int, *, is_encrypted: bool) -> bytes:
        written = b"%PDF-1.4\n"
        offsets = []
        for number, body in enumerate(self._objects, start=1):
            offsets.append(len(written))
            written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(written)
        written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        written += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        # Keys that fit no password, so that every attempt to open the file fails.
        keys = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>] " % (
            b"ab" * 32,
            b"cd" * 32,
        )
        written += b"trailer << /Size %d /Root %d 0 R /Info %d 0 R %s>>\n" % (
            len(offsets) + 1,
            catalog,
            info,
            keys if is_encrypted else b"",
        )
        return written + b"startxref\n%d\n%%%%EOF\n" % start
