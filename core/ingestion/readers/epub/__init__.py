"""Reads EPUB 2 and 3 books: their documents in reading order, named by their table of contents."""

from collections.abc import Iterator
from dataclasses import replace

from core.errors import UnreadableFile
from core.ingestion.lesson import BlockKind, Lesson, LessonPlace, SourceFile
from core.ingestion.readers.blocks import BlockBuilder
from core.ingestion.readers.contents import places
from core.ingestion.readers.epub.contents import Entry, read_contents
from core.ingestion.readers.epub.lessons import Chapter, Document, chapters
from core.ingestion.readers.epub.package import Package, read_package
from core.ingestion.readers.html.page import parse, title_from_name
from core.ingestion.readers.zips import SafeZip, ZipLimits, open_zip

SUFFIXES = (".epub",)
LIMITS = ZipLimits(entry_bytes=32_000_000, total_bytes=100_000_000)
"""Only text is unpacked; the pictures of a book may be as large as they like."""


def read(source: SourceFile) -> list[Lesson]:
    """The book's lessons in reading order.

    Raises:
        UnreadableFile: it is not an EPUB, damaged, encrypted, or holds no text.
    """
    with open_zip(source.absolute, name=source.path, kind="an EPUB", limits=LIMITS) as archive:
        package = read_package(archive, name=source.path)
        contents, contents_warnings = read_contents(archive, package)
        warnings = [*package.warnings, *contents_warnings]
        found = list(chapters(_documents(archive, package, warnings), contents))
    if not found and contents:
        warnings.append("The pages of the book are pictures; only its table of contents could be read.")
        found = [_contents_chapter(contents)]
    if not found:
        raise UnreadableFile(f"{source.path} holds no text; its pages may be pictures.")
    title = package.title or title_from_name(source.path)
    # What is wrong with the book as a whole is said once.
    paths = [(*chapter.parents, chapter.title) for chapter in found]
    said = places(paths, [chapter.blocks for chapter in found])
    return [
        _lesson(source, title, chapter, place, number=number, warnings=tuple(warnings) if number == 0 else ())
        for number, (chapter, place) in enumerate(zip(found, said, strict=True))
    ]


def _documents(archive: SafeZip, package: Package, warnings: list[str]) -> Iterator[Document]:
    for name in package.spine:
        entry = archive.find(name)
        if entry is None or name == package.nav:
            continue
        try:
            page = parse(archive.read(entry), name=name, is_bare=True)
        except UnreadableFile as error:
            warnings.append(str(error))
            continue
        if page.blocks:
            yield Document(name=name, title=page.title or title_from_name(name), blocks=page.blocks)


def _contents_chapter(contents: list[Entry]) -> Chapter:
    builder = BlockBuilder()
    builder.heading(1, "Contents")
    builder.add(BlockKind.LIST, "\n".join(f"{'  ' * len(entry.parents)}- {entry.title}" for entry in contents))
    return Chapter("Contents", (), builder.build())


def _lesson(
    source: SourceFile, book: str, chapter: Chapter, place: LessonPlace, *, number: int, warnings: tuple[str, ...]
) -> Lesson:
    return Lesson(
        source_file=source.path,
        title=chapter.title,
        blocks=chapter.blocks,
        place=replace(place, module=place.module or source.place.module),
        breadcrumb=(*source.breadcrumb, book, *chapter.parents),
        slug=f"{source.path}/{number}",
        order=source.order_of(number),
        warnings=warnings,
        address=source.address or source.path,
    )
