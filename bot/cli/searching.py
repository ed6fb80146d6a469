"""`footnote search`: passages by meaning and by words, with every filter."""

from typing import Annotated

import typer

from bot.cli.doing import do, read_text
from bot.cli.options import (
    Books,
    ChapterMax,
    ChapterMin,
    Json,
    LayerName,
    Lesson,
    Levels,
    Module,
    Parent,
    Tier,
    to_filters,
)
from bot.cli.printer import Printer
from core.model import Question, SearchHit, SearchQuery, SearchResults, Session, SessionKey
from core.model.limits import DEFAULT_TOP_K
from core.settings import Settings


def search(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help='Words to search with, at least 3 characters; "-" reads them.')
    ],
    *,
    book: Books = None,
    module: Module = None,
    chapter_min: ChapterMin = None,
    chapter_max: ChapterMax = None,
    lesson: Lesson = None,
    tier: Tier = None,
    level: Levels = None,
    layer: LayerName = None,
    parent: Parent = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="How many passages, 1 to 20.")
    ] = DEFAULT_TOP_K,
    is_json: Json = False,
) -> None:
    """Find passages in the books. All filters must hold.

    \b
    Examples:
      footnote search "quality of service" --book robots --chapter-max 2
      footnote search "depth camera" --level A2 --level B1 --tier 2 --json
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        filters = to_filters(
            books=book,
            module=module,
            chapter_min=chapter_min,
            chapter_max=chapter_max,
            lesson=lesson,
            tier=tier,
            levels=level,
            layer=layer,
            parent=parent,
        )
        query = SearchQuery(read_text(text), filters, limit)
        results = await _found(query, settings, printer)
        if printer.is_json:
            printer.document(results.to_dict())
        else:
            print_results(results, printer)

    do(work, printer)


async def _found(query: SearchQuery, settings: Settings, printer: Printer) -> SearchResults:
    from core.wiring import open_core

    with printer.busy("Searching …"):
        async with open_core(settings) as core:
            question = Question(query.text, filters=query.filters)
            scope = await core.library.scope(question, nowhere(question.key))
            found = await core.retriever.search(query.text, scope, limit=query.limit)
    hits = tuple(SearchHit(each.chunk, each.score) for each in found.chunks)
    return SearchResults(query.text, hits, found.total_found, query.filters)


def nowhere(key: SessionKey) -> Session:
    """Stands for a conversation that has not begun."""
    return Session(id="", key=key, book=None, model="", created_at="", updated_at="")


def print_results(results: SearchResults, printer: Printer) -> None:
    """Each passage with its place and address, the best first."""
    from bot.markup import to_plain
    from bot.markup.neutral import is_web_address
    from bot.telling import hit_place, results_head

    printer.line(to_plain(results_head(results)), style="bold")
    for number, hit in enumerate(results.hits, start=1):
        printer.line()
        printer.line(f"{number}. {hit_place(hit)}  ({hit.score:.2f})", style="cyan")
        printer.line(_indented(hit.chunk.text))
        if is_web_address(hit.chunk.url):
            printer.line(f"   {hit.chunk.url}", style="dim")


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" for line in text.strip().splitlines())
