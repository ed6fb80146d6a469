"""A lesson as a page to read, its headings and passages carrying the anchors that footnotes lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import pairwise
from string import Template
from urllib.parse import unquote

from markdown_it.token import Token

from bot.adapters.web.rendering import markdown
from core.ingestion.readers.anchors import Anchors, explicit_anchor
from core.model import Chunk
from core.store.library import LessonEntry


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The lesson before or after."""

    title: str
    address: str


def reading_page(
    chunks: Sequence[Chunk],
    *,
    book_title: str,
    before: Neighbour | None = None,
    after: Neighbour | None = None,
) -> str:
    """The whole HTML page of a lesson; *chunks* are all of its chunks in order."""
    first = chunks[0]
    page = Template(files("bot.adapters.web").joinpath("static", "reading.html").read_text(encoding="utf-8"))
    return page.substitute(
        title=escape(first.page_title),
        book=escape(book_title),
        breadcrumb=escape(first.breadcrumb),
        body=render_lesson(chunks),
        published=_published(first.url),
        before=_link("Previous", before),
        after=_link("Next", after),
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


def _link(word: str, lesson: Neighbour | None) -> str:
    if lesson is None:
        return ""
    return f'<a href="{escape(lesson.address)}"><small>{word}</small>{escape(lesson.title)}</a>'


def neighbours(
    book_id: str, outline: Sequence[LessonEntry], slug: str
) -> tuple[Neighbour | None, Neighbour | None]:
    """The lessons before and after the one at *slug*, in reading order."""
    place = next((number for number, entry in enumerate(outline) if entry.slug == slug), None)
    if place is None:
        return None, None

    def at(number: int) -> Neighbour | None:
        if not 0 <= number < len(outline):
            return None
        return Neighbour(outline[number].title, f"/read/{book_id}/{outline[number].slug}")

    return at(place - 1), at(place + 1)
