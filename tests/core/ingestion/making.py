"""Makes small lessons, files and archives for the tests of ingestion."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

from core.ingestion.discovery import read_book
from core.ingestion.file_reading import read_file
from core.ingestion.lesson import Block, BlockKind, Lesson, LessonPlace, SourceFile
from core.ingestion.readers.blocks import BlockBuilder


def prose(words: int, *, word: str = "word") -> str:
    """Sentences of ten words each, all different."""
    sentences = []
    for start in range(0, words, 10):
        count = min(10, words - start)
        sentences.append(" ".join(f"{word}{start + at}" for at in range(count)).capitalize() + ".")
    return " ".join(sentences)


def blocks_of(*parts: tuple[int, str] | tuple[BlockKind, str]) -> tuple[Block, ...]:
    """Blocks in order: (2, "Title") is a heading of level 2, (BlockKind.CODE, "…") a block."""
    builder = BlockBuilder()
    for kind, text in parts:
        if isinstance(kind, BlockKind):
            builder.add(kind, text)
        else:
            builder.heading(kind, text, anchor=text.lower().replace(" ", "-"))
    return builder.build()


def a_lesson(
    *parts: tuple[int, str] | tuple[BlockKind, str],
    blocks: tuple[Block, ...] | None = None,
    place: LessonPlace | None = None,
    title: str = "A lesson",
    slug: str = "a-lesson",
    address: str | None = None,
    source_file: str = "a-lesson.md",
) -> Lesson:
    return Lesson(
        source_file=source_file,
        title=title,
        blocks=blocks if blocks is not None else blocks_of(*parts),
        place=place or LessonPlace(),
        breadcrumb=("Module", "Chapter"),
        slug=slug,
        order=0,
        address=address,
    )


def a_book(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write *files* below *folder*."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def a_zip(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def a_source(path: Path, content: str | bytes) -> SourceFile:
    """A file of its own, as discovery would find it."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return SourceFile(path=path.name, location=str(path), size=path.stat().st_size)


def lessons_of(root: Path) -> list[Lesson]:
    """Every lesson of a book, in reading order."""
    reader, files = read_book(root)
    return [lesson for source in files for lesson in read_file(reader, source)]
