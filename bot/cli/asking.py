"""`footnote ask`: one question, one answer with its sources."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.doing import do, read_text
from bot.cli.neighbour import Document, ask_neighbour
from bot.cli.options import Books, Json
from bot.cli.printer import Printer, Tell
from bot.wording import STAGES
from core.errors import DataInUse
from core.model import Answer, AnswerEvent, Filters, Question, StageEvent
from core.settings import Settings

if TYPE_CHECKING:
    from core.agent import Agent


def ask(
    text: Annotated[str, typer.Argument(metavar="TEXT", help='The question; "-" reads it from standard input.')],
    *,
    book: Books = None,
    selected_text: Annotated[
        str | None,
        typer.Option("--selected-text", metavar="TEXT", help='A text the question is about; "-" reads it.'),
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Go on with this session (an id).")
    ] = None,
    top_k: Annotated[
        int | None, typer.Option("--top-k", metavar="N", help="Passages the answer may draw on, 1 to 20.")
    ] = None,
    is_json: Json = False,
) -> None:
    """Ask the books one question.

    \b
    Examples:
      footnote ask "What is a topic?" --book robots
      footnote ask "Is that right?" --selected-text "Nodes share memory." --json
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        question = Question(
            read_text(text),
            selected_text=read_text(selected_text) if selected_text else None,
            filters=Filters(books=tuple(book or ())),
            session_id=session,
            top_k=settings.top_k if top_k is None else top_k,
            similarity_threshold=settings.score_threshold,
        )
        document = await _document(question, settings, printer)
        if printer.is_json:
            printer.document(document)
        else:
            _print(document, printer)

    do(work, printer)


async def _document(question: Question, settings: Settings, printer: Printer) -> Document:
    """The answer in the contract's form, given here or by the bot that already runs."""
    from core.wiring import open_core

    with printer.busy("Opening the library …") as tell:
        try:
            async with open_core(settings) as core:
                return (await _watched(core.agent, question, tell)).to_dict()
        except DataInUse as in_use:
            tell("Asking the bot that runs …")
            return await ask_neighbour(question, settings, in_use)


async def _watched(agent: "Agent", question: Question, tell: Tell) -> Answer:
    """The answer, its stages told on the way."""
    async for event in agent.ask(question):
        if isinstance(event, StageEvent):
            tell(STAGES[event.stage])
        elif isinstance(event, AnswerEvent):
            return event.answer
    raise AssertionError("asking always ends with an answer")


def _print(document: Document, printer: Printer) -> None:
    from bot.cli.answers import print_reply, to_reply

    print_reply(to_reply(document), printer)
    if not printer.is_quiet:
        printer.note(f"To go on: footnote ask … --session {document['session_id']}")
