from collections.abc import Mapping
from pathlib import Path

import pytest

from core.errors import UnreadableFile
from core.ingestion.lesson import Lesson
from core.ingestion.readers.epub import read
from tests.core.ingestion.making import a_source, a_zip, prose

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><package>&b;</package>'


def _opf(documents: int, *, spine: str | None = None, extra: str = "") -> str:
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(1, documents + 1)
    )
    order = spine if spine is not None else "".join(f'<itemref idref="c{n}"/>' for n in range(1, documents + 1))
    return (
        f"<package><metadata><title>A Small Book</title></metadata><manifest>{items}{extra}</manifest>"
        f"<spine>{order}</spine></package>"
    )


def _page(title: str, words: str) -> str:
    return f"<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>{title}</h1><p>{words}</p></body></html>"


def _epub(tmp_path: Path, files: Mapping[str, str | bytes]) -> list[Lesson]:
    path = a_zip(tmp_path / "book.epub", {"META-INF/container.xml": CONTAINER, **files})
    return read(a_source(path, path.read_bytes()))


def test_the_spine_gives_the_order_and_the_contents_the_titles(tmp_path: Path) -> None:
    nav = (
        '<html xmlns:epub="e"><body><nav epub:type="toc"><ol><li><span>Part One</span><ol>'
        '<li><a href="c2.xhtml">Sensing</a></li></ol></li>'
        '<li><a href="c1.xhtml">Moving</a></li></ol></nav></body></html>'
    )
    lessons = _epub(
        tmp_path,
        {
            "OPS/book.opf": _opf(
                2,
                spine='<itemref idref="c2"/><itemref idref="c1"/>',
                extra='<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
            ),
            "OPS/nav.xhtml": nav,
            "OPS/c1.xhtml": _page("2. Moving", prose(40)),
            "OPS/c2.xhtml": _page("1. Sensing", prose(40)),
        },
    )

    assert [(lesson.title, lesson.breadcrumb) for lesson in lessons] == [
        ("1. Sensing", ("A Small Book", "Part One")),
        ("2. Moving", ("A Small Book",)),
    ]
    assert [(lesson.place.module, lesson.place.chapter) for lesson in lessons] == [("part-one", 1), (None, 2)]
    assert len({lesson.slug for lesson in lessons}) == 2


def test_the_older_kind_of_contents_is_read_too(tmp_path: Path) -> None:
    ncx = (
        "<ncx><navMap><navPoint><navLabel><text>Sensing</text></navLabel><content src='c1.xhtml'/></navPoint>"
        "</navMap></ncx>"
    )
    extra = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    lessons = _epub(
        tmp_path,
        {
            "OPS/book.opf": _opf(1, extra=extra),
            "OPS/toc.ncx": ncx,
            "OPS/c1.xhtml": f"<html><body><p>{prose(40)}</p></body></html>",
        },
    )

    assert [lesson.title for lesson in lessons] == ["Sensing"]


def _in_one_document(tmp_path: Path, body: str, contents: str) -> list[tuple[str, tuple[str, ...], str]]:
    """Title, titles above and words of each lesson of a book that is one document."""
    nav = f'<html xmlns:epub="e"><body><nav epub:type="toc"><ol>{contents}</ol></nav></body></html>'
    item = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    page = f"<html xmlns='http://www.w3.org/1999/xhtml'><body>{body}</body></html>"
    files = {"OPS/book.opf": _opf(1, extra=item), "OPS/nav.xhtml": nav, "OPS/c1.xhtml": page}
    return [(each.title, each.breadcrumb[1:], each.text) for each in _epub(tmp_path, files)]


def _line(title: str, fragment: str, below: str = "") -> str:
    nested = f"<ol>{below}</ol>" if below else ""
    return f'<li><a href="c1.xhtml{fragment}">{title}</a>{nested}</li>'


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param('<h1 id="c1">Sensing</h1>', '<h1 id="c2">Moving</h1>', id="headings"),
        pytest.param('<h1><a id="c1"></a>Sensing</h1>', '<h1><a name="c2"></a>Moving</h1>', id="in headings"),
        pytest.param('<p id="c1"><b>Sensing</b></p>', '<p id="c2"><b>Moving</b></p>', id="paragraphs"),
        pytest.param(
            '<div id="c1"/><h1>Sensing</h1>', '<p><a id="c2"></a></p><h1>Moving</h1>', id="empty elements"
        ),
        pytest.param(
            "<h1>Chapter 1: Sensing</h1>", "<h1>2. Chapter 2: Moving</h1>", id="elements that are missing"
        ),
    ],
)
def test_a_document_is_divided_where_the_contents_lead(tmp_path: Path, first: str, second: str) -> None:
    contents = _line("Chapter 1: Sensing", "#c1") + _line("Chapter 2: Moving", "#c2")
    body = f"{first}<p>Eyes see.</p>{second}<p>Legs walk.</p>"

    lessons = _in_one_document(tmp_path, body, contents)

    assert [title.removeprefix("2. ") for title, _, _ in lessons] == ["Chapter 1: Sensing", "Chapter 2: Moving"]
    assert ["see" in text for _, _, text in lessons] == [True, False]
    assert ["walk" in text for _, _, text in lessons] == [False, True]


def test_chapters_of_a_part_are_lessons_and_sections_of_a_chapter_are_not(tmp_path: Path) -> None:
    contents = _line(
        "Part One",
        "#p1",
        _line("Sensing", "#c1", _line("Light", "#s1") + _line("Sound", "#s2")) + _line("Moving", "#c2"),
    )
    body = (
        '<h1 id="p1">Part One</h1><h2 id="c1">Sensing</h2><h3 id="s1">Light</h3><p>Eyes see.</p>'
        '<h3 id="s2">Sound</h3><p>Ears hear.</p><h2 id="c2">Moving</h2><p>Legs walk.</p>'
    )

    lessons = _in_one_document(tmp_path, body, contents)

    assert [(title, above) for title, above, _ in lessons] == [
        ("Sensing", ("Part One",)),
        ("Moving", ("Part One",)),
    ]
    assert "hear" in lessons[0][2]
    assert "".join(text for _, _, text in lessons).count("Part One") == 1


def test_a_chapter_too_long_for_a_lesson_is_divided_where_the_contents_lead(tmp_path: Path) -> None:
    contents = _line("Sensing", "", _line("Light", "#s1") + _line("Sound", "#s2"))
    body = f'<p>Robots sense.</p><p id="s1">{prose(4_000)}</p><p id="s2">{prose(4_000, word="ear")}</p>'

    lessons = _in_one_document(tmp_path, body, contents)

    assert [(title, above) for title, above, _ in lessons] == [
        ("Sensing", ()),
        ("Light", ("Sensing",)),
        ("Sound", ("Sensing",)),
    ]


def test_without_a_spine_the_listed_documents_are_read(tmp_path: Path) -> None:
    lessons = _epub(tmp_path, {"OPS/book.opf": _opf(1, spine=""), "OPS/c1.xhtml": _page("Sensing", prose(40))})

    assert "does not say its reading order" in " ".join(lessons[0].warnings)
    assert "Word0" in lessons[0].text


def test_a_document_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    lessons = _epub(
        tmp_path,
        {
            "OPS/book.opf": _opf(3),
            "OPS/c1.xhtml": b"\x00\x01" * 600,
            "OPS/c2.xhtml": _page("Moving", prose(40)),
        },
    )

    assert [lesson.title for lesson in lessons] == ["Moving"]
    assert "'c3.xhtml' is listed but not in the file" in " ".join(lessons[0].warnings)
    assert "c1.xhtml is not text" in " ".join(lessons[0].warnings)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param({"OPS/book.opf": BOMB}, "declares XML entities", id="entity bomb"),
        pytest.param({"OPS/other.txt": "x"}, "its package file 'OPS/book.opf' is missing", id="no package"),
        pytest.param({"OPS/book.opf": "<package>"}, "not well-formed XML", id="broken package"),
        pytest.param({"OPS/book.opf": _opf(0)}, "holds no text", id="no documents"),
        pytest.param(
            {
                "OPS/book.opf": _opf(1),
                "META-INF/encryption.xml": "<encryption><EncryptedData><EncryptionMethod Algorithm='aes'/>"
                "</EncryptedData></encryption>",
            },
            "protected by DRM",
            id="DRM",
        ),
        pytest.param(
            {"OPS/book.opf": b"<!-- " + b"a" * 20_000_000 + b" -->"}, "unfolds to far more", id="zip bomb"
        ),
    ],
)
def test_an_epub_that_cannot_be_read_says_why(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        _epub(tmp_path, files)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"\x89PNG....", "is not an EPUB", id="a picture"),
        pytest.param(b"PK\x03\x04 cut", "cut short or damaged", id="cut short"),
    ],
)
def test_what_is_no_zip_says_so(tmp_path: Path, raw: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(a_source(tmp_path / "book.epub", raw))
