"""An answer on a terminal: its text, then a compact list of where each footnote leads."""

from collections.abc import Sequence

from bot.cli.neighbour import Document
from bot.cli.printer import Printer
from bot.markup import to_plain
from bot.markup.neutral import is_web_address
from bot.reply import Footnote, Pointer, Reply, ReplyKind
from bot.telling import confidence_text, source_name


def to_reply(document: Document) -> Reply:
    """An answer in the contract's form, as something to show."""
    footnotes = (
        Footnote(
            number=cited["number"],
            title=cited["title"],
            section=cited["section"],
            breadcrumb=cited["breadcrumb"],
            url=cited["url"],
            quote=cited["excerpt"],
            chunk_id=cited["chunk_id"],
        )
        for cited in document["citations"]
    )
    nearest = (
        Pointer(near["title"], near["section"], near["url"], near["chunk_id"]) for near in document["nearest"]
    )
    return Reply(
        kind=ReplyKind.ANSWER if document["should_answer"] else ReplyKind.REFUSAL,
        text=document["text"],
        footnotes=tuple(footnotes),
        nearest=tuple(nearest),
        notes=tuple(document["notes"]),
        confidence=document["confidence"],
        confidence_level=document["confidence_level"],
    )


def print_reply(reply: Reply, printer: Printer) -> None:
    """The text, its sources, and where to look instead if the book does not answer."""
    print_text(reply.text, printer)
    for note in reply.notes:
        printer.line(note, style="yellow")
    print_sources(reply, printer)
    if reply.kind is ReplyKind.ANSWER:
        printer.line()
        printer.line(confidence_text(reply), style="dim")
    printer.line()


def print_text(markdown: str, printer: Printer) -> None:
    """Markdown as a terminal shows it best; in a pipe as plain lines."""
    if printer.is_json:
        return
    if printer.is_plain:
        printer.line(to_plain(markdown))
        return
    from rich.markdown import Markdown

    from bot.markup import clean

    printer.out.print(Markdown(clean(markdown), hyperlinks=False))


def print_sources(reply: Reply, printer: Printer) -> None:
    """One line for each footnote, or for each section that comes closest."""
    if reply.footnotes:
        printer.line()
        printer.line("Sources", style="bold")
        for line in source_lines(reply.footnotes):
            printer.line(f"  {line}")
    if reply.nearest:
        printer.line()
        printer.line("Closest in the book", style="bold")
        for pointer in reply.nearest:
            printer.line(f"  · {source_name(pointer)}{_address(pointer.url)}")


def source_lines(footnotes: Sequence[Footnote]) -> list[str]:
    """One line for each place in the book: the marks that lead there, its name, and the address."""
    marks: dict[tuple[str, str], str] = {}
    for footnote in footnotes:
        place = (source_name(footnote), footnote.url)
        marks[place] = marks.get(place, "") + f"[{footnote.number}]"
    return [f"{numbers} {name}{_address(url)}" for (name, url), numbers in marks.items()]


def _address(url: str) -> str:
    """Nothing for a page that only the running bot serves: it leads nowhere from here."""
    return f"  {url}" if is_web_address(url) else ""
