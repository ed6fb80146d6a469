"""`footnote search`: passages by meaning and by words, with every filter."""

from typing import Annotated

import typer

from bot.cli.doing import do, read_text
from bot.cli.neighbour import Document, search_neighbour
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
from core.errors import DataInUse
from core.model import Findings, Question, SearchHit, SearchQuery, SearchResults, Session, SessionKey
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
        results = await _document(query, settings, printer)
        if printer.is_json:
            printer.document(results)
        else:
            print_results(results, printer)

    do(work, printer)


async def _document(query: SearchQuery, settings: Settings, printer: Printer) -> Document:
    """What is found in the contract's form, here or by the bot that already runs."""
    from core.wiring import open_core

    with printer.busy("Searching …"):
        try:
            async with open_core(settings) as core:
                question = Question(query.text, filters=query.filters)
                scope = await core.library.scope(question, nowhere(question.key))
                found = await core.retriever.search(query.text, scope, limit=query.limit)
        except DataInUse as in_use:
            return await search_neighbour(query, settings, in_use)
    return to_results(query, found).to_dict()


def to_results(query: SearchQuery, found: Findings) -> SearchResults:
    """What was found, as a member is shown it."""
    hits = tuple(SearchHit(each.chunk, each.score) for each in found.chunks)
    return SearchResults(query.text, hits, found.total_found, query.filters)


def nowhere(key: SessionKey) -> Session:
    """Stands for a conversation that has not begun."""
    return Session(id="", key=key, book=None, model="", created_at="", updated_at="")


def print_results(document: Document, printer: Printer) -> None:
    """Each passage with its place and address, the best first."""
    from bot.markup.neutral import is_web_address

    results = document["results"]
    if not results:
        printer.line("Nothing in the books fits. Try other words or fewer filters.")
        return
    printer.line(f"{document['query']}: {len(results)} of {document['total_found']} passages", style="bold")
    for number, result in enumerate(results, start=1):
        printer.line()
        printer.line(f"{number}. {_place(result)}  ({result['score']:.2f})", style="cyan")
        printer.line("\n".join(f"   {line}" for line in result["text"].strip().splitlines()))
        if is_web_address(result["url"]):
            printer.line(f"   {result['url']}", style="dim")


def _place(result: Document) -> str:
    breadcrumb, section = result["breadcrumb"], result["section_title"]
    return f"{breadcrumb} › {section}" if section and section not in breadcrumb else breadcrumb
