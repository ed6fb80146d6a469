"""Makes lessons of an EPUB's documents and its table of contents."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.division import Division, divide
from core.ingestion.readers.epub.contents import Entry
from core.ingestion.readers.epub.parts import Part, parts


@dataclass(frozen=True, slots=True)
class Document:
    """One document of the spine, read."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A run of blocks with its title and the titles above it."""

    title: str
    parents: tuple[str, ...]
    blocks: tuple[Block, ...]


def chapters(documents: Iterable[Document], contents: Sequence[Entry]) -> Iterator[Chapter]:
    """The book's chapters in reading order; a document is divided where the contents lead, or where it is long."""
    entries: dict[str, list[Entry]] = {}
    for entry in contents:
        entries.setdefault(entry.document, []).append(entry)
    for document in _joined(documents, entries.keys()):
        for part in parts(document.blocks, entries.get(document.name, ())):
            yield from _chapters_of(document, part)


def _joined(documents: Iterable[Document], listed: Iterable[str]) -> Iterator[Document]:
    """Documents that continue the one before, as when a program cut a chapter into files, go with it."""
    listed = set(listed)
    waiting: Document | None = None
    for document in documents:
        continues = document.name not in listed and document.blocks[0].kind is not BlockKind.HEADING
        if waiting is not None and continues and waiting.name in listed:
            path = waiting.blocks[-1].heading
            blocks = tuple(_under(path, block) for block in document.blocks)
            waiting = Document(waiting.name, waiting.title, waiting.blocks + blocks)
            continue
        if waiting is not None:
            yield waiting
        waiting = document
    if waiting is not None:
        yield waiting


def _under(path: tuple[str, ...], block: Block) -> Block:
    if block.heading:
        return block
    return Block(kind=block.kind, text=block.text, heading=path, anchor=block.anchor)


def _chapters_of(document: Document, part: Part) -> Iterator[Chapter]:
    entry = part.entry
    divisions = divide(part.blocks)
    title = _title(document, entry, _heading(divisions[0]))
    parents = entry.parents if entry is not None else ()
    yield Chapter(title, parents, divisions[0].blocks)
    for division in divisions[1:]:
        path = tuple(name for name in division.path if name not in {title, *parents})
        yield Chapter(path[-1] if path else title, (*parents, title, *path[:-1]), division.blocks)


def _title(document: Document, entry: Entry | None, heading: str) -> str:
    if entry is None:
        return heading or document.title
    # The page often numbers what the table of contents only names.
    return heading if heading.casefold().endswith(entry.title.casefold()) else entry.title


def _heading(division: Division) -> str:
    return division.path[-1] if division.path else ""
