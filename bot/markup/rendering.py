"""Walks the document tree once; each platform's dialect says how a part is written."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from bot.markup.neutral import ADDRESS, is_known, is_web_address
from bot.markup.tables import aligned
from bot.markup.tree import (
    Block,
    Bullets,
    Cell,
    Code,
    Document,
    Emphasis,
    Fence,
    Heading,
    Inline,
    LineBreak,
    Link,
    Mark,
    Maths,
    Paragraph,
    Quote,
    Rule,
    Strike,
    Strong,
    Table,
    Text,
)

Style = Callable[[str], str]


class Dialect(ABC):
    """One platform's markup. *links* are the addresses that marks lead to; no other address becomes a link."""

    indent = "  "
    bullets: Sequence[str] = ("-",)
    rule = "---"
    line_break = "\n"

    def __init__(self, links: Mapping[int, str]) -> None:
        self._links = {number: url for number, url in links.items() if is_web_address(url)}

    @abstractmethod
    def words(self, text: str) -> str:
        """*text* so that it is read as it stands and nothing in it acts."""

    @abstractmethod
    def strong(self, inside: str) -> str: ...

    @abstractmethod
    def emphasis(self, inside: str) -> str: ...

    @abstractmethod
    def strike(self, inside: str) -> str: ...

    @abstractmethod
    def code(self, text: str) -> str: ...

    @abstractmethod
    def link(self, label: str, url: str) -> str: ...

    @abstractmethod
    def heading(self, level: int, inside: str) -> str: ...

    @abstractmethod
    def fence(self, text: str, language: str) -> str: ...

    @abstractmethod
    def quote(self, text: str) -> str: ...

    @abstractmethod
    def guarded(self, line: str) -> str:
        """*line* of a paragraph so that its beginning does not make it a heading, a list or a quote."""

    def mark(self, number: int) -> str:
        return f"[{number}]"

    def address(self, url: str) -> str:
        """An address nobody vouched for, to be read and not clicked."""
        return self.code(url)

    def render(self, document: Document) -> str:
        return self._stacked(document, depth=0)

    def _stacked(self, blocks: Sequence[Block], *, depth: int) -> str:
        written = [text for block in blocks if (text := self._block(block, depth))]
        return "\n\n".join(written)

    def _block(self, block: Block, depth: int) -> str:
        match block:
            case Paragraph(inside):
                written = "\n".join(self.guarded(line) for line in self.inlines(inside).split("\n"))
            case Heading(level, inside):
                written = self.heading(level, self.inlines(inside).replace(self.line_break, " "))
            case Fence(text, language):
                written = self.fence(text, language)
            case Bullets():
                written = self._list(block, depth)
            case Quote(blocks):
                written = self._quoted(blocks, depth)
            case Table():
                written = self._table(block, depth)
            case Rule():
                written = self.rule
        return written

    def _quoted(self, blocks: Sequence[Block], depth: int) -> str:
        # A fence inside a quote is not understood everywhere, so it stands on its own.
        written = []
        for block in blocks:
            text = self._block(block, depth)
            written.append(text if isinstance(block, Fence | Table | Bullets | Quote) else self.quote(text))
        return "\n\n".join(filter(None, written))

    def _list(self, block: Bullets, depth: int) -> str:
        sign = self.bullets[min(depth, len(self.bullets) - 1)]
        return "\n".join(
            self._item(item, sign if block.start is None else f"{block.start + place}.", depth)
            for place, item in enumerate(block.items)
        )

    def _item(self, blocks: Sequence[Block], sign: str, depth: int) -> str:
        margin = self.indent * depth
        hanging = margin + " " * (len(sign) + 1)
        lines = [f"{margin}{sign} "]
        for place, block in enumerate(blocks):
            text = self._block(block, depth + 1)
            if isinstance(block, Bullets | Fence | Table | Quote):
                lines.append(text)
            elif place == 0:
                lines[0] += text.replace("\n", "\n" + hanging)
            else:
                lines.append(hanging + text.replace("\n", "\n" + hanging))
        return "\n".join(line for line in lines if line.strip())

    def _table(self, table: Table, depth: int) -> str:
        header = [self._cell(cell) for cell in table.header]
        lines = aligned(header, [[self._cell(cell) for cell in row] for row in table.rows], table.alignments)
        if lines is not None:
            return self.fence(lines, "")
        records = [self._record(table.header, row) for row in table.rows]
        return self._list(Bullets(tuple(records)), depth)

    def _record(self, header: Sequence[Cell], row: Sequence[Cell]) -> tuple[Block, ...]:
        named: list[Inline] = []
        for name, cell in zip(header, row, strict=False):
            if cell:
                named += [LineBreak()] * bool(named) + [Strong(name), Text(": "), *cell]
        return (Paragraph(tuple(named)),)

    def _cell(self, cell: Cell) -> str:
        return " ".join(plain_words(cell).split())

    def inlines(self, inside: Sequence[Inline]) -> str:
        written = ""
        for part in inside:
            written += self.after(written, self._inline(part))
        return written.strip("\n")

    def after(self, before: str, text: str) -> str:
        """*text* so that it does not join with what stands *before* it."""
        return text

    def _inline(self, part: Inline) -> str:
        match part:
            case Text(text):
                written = self._text(text)
            case Strong(inside):
                written = self._styled(inside, self.strong)
            case Emphasis(inside):
                written = self._styled(inside, self.emphasis)
            case Strike(inside):
                written = self._styled(inside, self.strike)
            case Code(text):
                written = self.code(text)
            case Maths(text):
                # An address can be written as a formula too.
                written = self._text(text.replace("\n", " "))
            case Link(inside, url):
                written = self._link(inside, url)
            case Mark(number):
                written = self._mark(number)
            case LineBreak():
                written = self.line_break
        return written

    def _mark(self, number: int) -> str:
        url = self._links.get(number)
        return self.mark(number) if url is None else self.link(self.mark(number), url)

    def _styled(self, inside: Sequence[Inline], style: Style) -> str:
        text = self.inlines(inside)
        return style(text) if text.strip() else text

    def _text(self, text: str) -> str:
        written, end = "", 0
        for found in ADDRESS.finditer(text):
            url = found.group()
            shown = self.link(self.words(url), url) if is_known(url, self._links) else self.address(url)
            written += self.words(text[end : found.start()]) + shown
            end = found.end()
        return written + self.words(text[end:])

    def _link(self, inside: Sequence[Inline], url: str) -> str:
        label = self.inlines(inside)
        if is_known(url, self._links):
            return self.link(label or self.words(url), url)
        if not is_web_address(url) or url == plain_words(inside):
            return label
        return f"{label} ({self.address(url)})" if label else self.address(url)


def plain_words(inside: Sequence[Inline]) -> str:
    """What a reader would say aloud."""
    written = []
    for part in inside:
        match part:
            case Text(text) | Code(text) | Maths(text):
                written.append(text)
            case Strong(deeper) | Emphasis(deeper) | Strike(deeper) | Link(deeper, _):
                written.append(plain_words(deeper))
            case Mark(number):
                written.append(f"[{number}]")
            case LineBreak():
                written.append(" ")
    return "".join(written)
