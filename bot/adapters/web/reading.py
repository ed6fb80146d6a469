"""A lesson as a page to read, its headings and passages carrying the anchors that footnotes lead to."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise
from string import Template
from urllib.parse import quote, unquote

from markdown_it.token import Token

from bot.adapters.web.rendering import markdown
from core.ingestion.readers.anchors import Anchors, explicit_anchor
from core.model import Book, Chunk
from core.store.library import LessonPage


def read_address(book_id: str, slug: str) -> str:
    """Where on this site the lesson at *slug* can be read."""
    return f"/read/{quote(book_id, safe='')}/{quote(slug.strip('/'))}"


def reading_page(chunks: Sequence[Chunk], lesson: LessonPage, *, book: Book) -> str:
    """The whole HTML page of a *lesson*; *chunks* are all of its chunks in order."""
    first = chunks[0]
    page = Template(files("bot.adapters.web").joinpath("static", "reading.html").read_text(encoding="utf-8"))
    return page.substitute(
        title=escape(first.page_title),
        book=escape(book.title),
        breadcrumb=escape(first.breadcrumb),
        body=render_lesson(chunks),
        published=_published(first.url),
        before=_link("Previous", book.id, lesson.before),
        after=_link("Next", book.id, lesson.after),
    )


def render_lesson(chunks: Sequence[Chunk]) -> str:
    """The lesson's text as safe HTML with an element for every anchor its chunks are cited by."""
    parser = markdown()
    tokens = parser.parse("".join(chunk.text for chunk in chunks))
    known = _give_headings_their_ids(tokens)
    _place_other_anchors(tokens, chunks, known)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _give_headings_their_ids(tokens: Sequence[Token]) -> set[str]:
    anchors, known = Anchors(), set()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        words = "".join(child.content for child in inline.children or [] if child.type in {"text", "code_inline"})
        title, explicit = explicit_anchor(words)
        anchor = explicit or anchors.of(title)
        if explicit and inline.children and inline.children[-1].type == "text":
            inline.children[-1].content = explicit_anchor(inline.children[-1].content)[0]
        opening.attrSet("id", anchor)
        known.add(anchor)
    return known


def _place_other_anchors(tokens: list[Token], chunks: Sequence[Chunk], known: set[str]) -> None:
    """Put ids that are no heading's, such as a PDF's pages, on the first block at or after their chunk's start."""
    line = 0
    for chunk in chunks:
        anchor = unquote(chunk.url.partition("#")[2])
        if anchor and anchor not in known:
            known.add(anchor)
            target = next((token for token in tokens if _may_carry(token) and (token.map or [0])[0] >= line), None)
            if target is not None:
                target.attrSet("id", anchor)
        line += chunk.text.count("\n")


def _may_carry(token: Token) -> bool:
    return token.level == 0 and token.nesting >= 0 and token.map is not None and token.attrGet("id") is None


def _published(url: str) -> str:
    if url.startswith("/"):
        return ""
    return f'<a href="{escape(url.partition("#")[0])}" rel="noopener noreferrer">As published</a>'


def _link(word: str, book_id: str, lesson: tuple[str, str] | None) -> str:
    if lesson is None:
        return ""
    title, slug = lesson
    return f'<a href="{escape(read_address(book_id, slug))}"><small>{word}</small>{escape(title)}</a>'
