"""An answer on a terminal: its text, then a compact list of where each footnote leads."""

from bot.cli.printer import Printer
from bot.markup import to_plain
from bot.markup.neutral import is_web_address
from bot.reply import Footnote, Reply, ReplyKind
from bot.telling import confidence_text, source_name


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
        for footnote in reply.footnotes:
            printer.line(f"  {source_line(footnote)}")
    if reply.nearest:
        printer.line()
        printer.line("Closest in the book", style="bold")
        for pointer in reply.nearest:
            printer.line(f"  · {source_name(pointer)}{_address(pointer.url)}")


def source_line(footnote: Footnote) -> str:
    """A footnote's number, where it leads in the book, and the address."""
    return f"[{footnote.number}] {source_name(footnote)}{_address(footnote.url)}"


def _address(url: str) -> str:
    """Nothing for a page that only the running bot serves: it leads nowhere from here."""
    return f"  {url}" if is_web_address(url) else ""
