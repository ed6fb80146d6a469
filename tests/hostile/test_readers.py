"""Whatever a file holds, a reader gives whole lessons or says why not, and nothing gets lost in cutting."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LibraryError, UnreadableFile
from core.ingestion.chunks import to_chunks
from core.ingestion.cutting import cut
from core.ingestion.discovery import read_book
from core.ingestion.file_reading import read_file
from core.ingestion.lesson import Lesson, SourceFile
from core.ingestion.placing import Placing
from core.ingestion.readers.front_matter import split_front_matter
from core.ingestion.readers.single import FileReader
from core.ingestion.readers.site.addresses import start_address, tidied
from core.ingestion.readers.site.sitemap import Robots, read_sitemap
from core.ingestion.readers.unpacking import unpack
from tests.core.ingestion.readers.pdf_making import Mark, a_pdf, column
from tests.hostile.inputs import BYTES, EVIL, FRONT_MATTER, LINES, SOUND_TEXTS, TEXTS, damaged, hostile, zipped

HIDDEN = set(map(chr, range(32))) | {"\x7f", "\u202e", "\ufeff"}
CONTAINER = b"""<?xml version="1.0"?><container version="1.0"
xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
PACKAGE = b"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A book</dc:title></metadata><manifest>
<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="a"/></spine></package>"""
PAGE = b"<html><body><h1>Nodes</h1><p>A node is a process that computes something.</p></body></html>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


def read(folder: Path, name: str, content: bytes) -> list[Lesson]:
    """The lessons of a file; none where it is refused in words."""
    path = folder / name
    path.write_bytes(content)
    try:
        return read_file(FileReader(), SourceFile(path=name, location=str(path), size=len(content)))
    except UnreadableFile:
        return []


def check(lessons: list[Lesson]) -> None:
    """What every lesson keeps to, whatever it was read from."""
    placing = Placing("book")
    for lesson in lessons:
        assert lesson.title.strip()
        assert not HIDDEN & set(lesson.title + "".join(lesson.breadcrumb))
        assert "\x00" not in lesson.text
        lesson.text.encode()
        assert "".join(piece.text for piece in cut(lesson)) == lesson.text
        chunks = to_chunks(lesson, placing.place(lesson).place, file_hash="0" * 64)
        assert [chunk.previous_id for chunk in chunks[1:]] == [chunk.id for chunk in chunks[:-1]]
        assert len({chunk.id for chunk in chunks}) == len(chunks)
        assert all(chunk.url.isprintable() and " " not in chunk.url for chunk in chunks)


@given(st.sampled_from(["a.md", "a.mdx", "a.txt", "a.html", "a.xhtml"]), SOUND_TEXTS)
@hostile(share=4)
def test_any_text_is_read_whole_or_refused_in_words(folder: Path, name: str, text: str) -> None:
    check(read(folder, name, text.encode()))


@given(st.sampled_from(["b.md", "b.mdx", "b.txt", "b.html", "b.epub", "b.pdf"]), BYTES)
@hostile(share=2)
def test_any_bytes_are_read_or_refused(folder: Path, name: str, content: bytes) -> None:
    check(read(folder, name, content))


@given(FRONT_MATTER, SOUND_TEXTS)
@hostile(share=2)
def test_front_matter_can_say_anything(folder: Path, matter: str, body: str) -> None:
    text = f"---\n{matter}\n---\n{body}"

    assert split_front_matter(text).body in text
    check(read(folder, "c.md", text.encode()))


@given(SOUND_TEXTS)
@hostile(share=2)
def test_a_page_of_an_epub_can_hold_anything(folder: Path, text: str) -> None:
    page = f"<html><body>{text}</body></html>".encode()

    check(
        read(folder, "d.epub", zipped({"META-INF/container.xml": CONTAINER, "book.opf": PACKAGE, "a.xhtml": page}))
    )


@given(damaged(zipped({"META-INF/container.xml": CONTAINER, "book.opf": PACKAGE, "a.xhtml": PAGE})))
@hostile(share=2)
def test_a_damaged_epub_is_read_or_refused(folder: Path, content: bytes) -> None:
    check(read(folder, "e.epub", content))


@given(st.sampled_from(["META-INF/container.xml", "book.opf", "a.xhtml"]), st.data())
@hostile()
def test_an_epub_with_a_damaged_part_is_read_or_refused(folder: Path, part: str, data: st.DataObject) -> None:
    parts = {"META-INF/container.xml": CONTAINER, "book.opf": PACKAGE, "a.xhtml": PAGE}
    parts[part] = data.draw(damaged(parts[part]))

    check(read(folder, "f.epub", zipped(parts)))


PDF = a_pdf(
    [column(["1 Nodes", "A node is a process that computes something in the graph."] * 5), column(["The end."])],
    bookmarks=[Mark("Nodes", 0)],
    title="A book",
)


@given(damaged(PDF))
@hostile()
def test_a_damaged_pdf_is_read_or_refused(folder: Path, content: bytes) -> None:
    check(read(folder, "g.pdf", content))


PATHS = ["..", ".", "/", "\\", "a", "C:", "~", "a.md", "b.html", "\x00", "con", " "]
NAMES = st.one_of(LINES, st.lists(st.sampled_from(PATHS), max_size=6).map("".join))


@given(st.dictionaries(NAMES.filter(bool), SOUND_TEXTS.map(str.encode), min_size=1, max_size=4))
@hostile()
def test_no_entry_of_an_archive_leads_out_of_its_folder(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, bytes]
) -> None:
    place = tmp_path_factory.mktemp("zip")
    inside = place / "inside"
    inside.mkdir()
    (place / "book.zip").write_bytes(zipped(entries))

    try:
        _, files = read_book(unpack(place / "book.zip", inside).root)
    except LibraryError:
        files = []
    for file in files:
        assert file.absolute.resolve().is_relative_to(inside)
        assert not PurePosixPath(file.path).is_absolute()
    assert {path.name for path in place.iterdir()} == {"inside", "book.zip"}


@given(BYTES)
@hostile()
def test_any_sitemap_is_a_list_of_pages_or_refused(body: bytes) -> None:
    try:
        pages, further = read_sitemap(body, address=EVIL)
    except LibraryError:
        return
    assert all(each.startswith(("http://", "https://")) for each in (*pages, *further))


@given(TEXTS)
@hostile()
def test_any_robots_text_is_understood(text: str) -> None:
    robots = Robots(text)

    assert robots.allows(EVIL) in (True, False)
    assert robots.delay_seconds >= 0


@given(st.one_of(TEXTS, TEXTS.map(lambda text: f"https://{text}"), TEXTS.map(lambda text: f"http://a/{text}")))
@hostile()
def test_an_address_is_a_web_address_or_refused(text: str) -> None:
    tidy = tidied(text)
    assert tidy is None or tidy.startswith(("http://", "https://"))
    try:
        assert start_address(text)
    except LibraryError:
        return
