"""Looking into the books: search, the passages behind an answer, which books there are."""

from dataclasses import replace

from bot.cli.answers import print_text
from bot.cli.chat.lines import COMMANDS, Line
from bot.cli.chat.seat import Seat
from bot.cli.searching import nowhere, print_results, to_results
from bot.search_words import to_search
from bot.telling import hit_place
from core.model import LOCAL_GROUP, Question, SearchHit


async def search(seat: Seat, line: Line) -> None:
    query = to_search(line.rest)
    filters = replace(query.filters, books=query.filters.books or seat.books)
    question = Question(query.text, filters=filters, key=seat.thread.key)
    session = await seat.core.sessions.find(seat.thread.key) or nowhere(seat.thread.key)
    found = await seat.core.retriever.search(
        query.text, await seat.core.library.scope(question, session), limit=query.limit
    )
    print_results(to_results(query, found).to_dict(), seat.screen.printer)


async def sources(seat: Seat, line: Line) -> None:
    said = seat.thread.find(line.number) if line.rest else seat.thread.last_answer
    marks: dict[str, list[str]] = {}
    for number, chunk_id in said.sources if said else ():
        marks.setdefault(chunk_id, []).append(f"[{number}]")
    chunks = await seat.core.library.chunks(marks)
    if not chunks:
        seat.screen.say("That message has no sources.", style="yellow")
    for chunk in chunks.values():
        seat.screen.say(f"{' '.join(marks[chunk.id])} {hit_place(SearchHit(chunk, 0.0))}", style="bold cyan")
        print_text(chunk.text, seat.screen.printer)
        seat.screen.say()


async def books(seat: Seat, line: Line) -> None:
    for book in await seat.core.library.books(group=LOCAL_GROUP):
        seat.screen.say(f"{book.id}: {book.title}, {book.chunk_count} passages")


async def use(seat: Seat, line: Line) -> None:
    wanted = None if line.rest in {"", "all"} else line.rest
    await seat.core.sessions.use_book(seat.thread.key, wanted)
    seat.screen.say(f"This thread reads {wanted or 'all books'}.")


async def show_help(seat: Seat, line: Line) -> None:
    seat.screen.say("Type a question and press Enter. In a thread just go on: “why?”, “give an example”.")
    for name, does in COMMANDS.items():
        seat.screen.say(f"  {name:<18} {does}")
    seat.screen.say("Ctrl-C stops an answer; Ctrl-D leaves.")
