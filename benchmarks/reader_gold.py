"""Compares our reading of a Docusaurus book with a parse of it that others made, file by file."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.ingestion.discovery import read_book
from core.ingestion.file_reading import read_file
from core.ingestion.lesson import BlockKind, Lesson, SourceFile
from core.ingestion.readers.blocks import heading_level
from core.ingestion.readers.decoding import decode
from core.ingestion.readers.front_matter import split_front_matter
from core.ingestion.readers.inline import plain
from core.ingestion.readers.numbering import place_of_path

PACK = Path("../shared/evals/physical-ai-robolearn")

_FENCES = re.compile(r"^(?:```|~~~)", re.MULTILINE)
"""The reference counts listings at the margin only, not those inside a list."""

_TABLE_RULES = re.compile(r"^[ >\t]*\|?[ :]*-{2,}[ :]*\|[-| :]*$", re.MULTILINE)
_WORDS_TOLERATED = 0.05
"""Marks, tags and link targets are words for a counter and not for a reader."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One point in which our parse is not the expected one."""

    file: str
    field: str
    expected: object
    found: object


def compared(gold: dict[str, object], source: SourceFile, lesson: Lesson) -> Iterator[Difference]:
    """Every difference in front matter, place, headings, code blocks, tables and words."""
    raw = source.absolute.read_bytes()
    front = split_front_matter(decode(raw, name=source.path).text)
    path = place_of_path(source.path)
    expected_headings = [[level, plain(title)] for level, title in _pairs(gold["headings"])]
    headings = [
        [heading_level(block), block.heading[-1]] for block in lesson.blocks if block.kind is BlockKind.HEADING
    ]
    outside_code = "".join(block.text for block in lesson.blocks if block.kind is not BlockKind.CODE)
    checks: list[tuple[str, object, object]] = [
        ("front matter", gold["frontmatter"], json.loads(json.dumps(dict(front.fields), default=str))),
        ("path", [gold["module_slug"], gold["chapter"], gold["lesson"]], [path.module, path.chapter, path.lesson]),
        ("module", gold["module_slug"] or lesson.place.module, lesson.place.module),
        ("chapter", gold["chapter"] or lesson.place.chapter, lesson.place.chapter),
        ("lesson", gold["lesson"] or lesson.place.lesson, lesson.place.lesson),
        ("headings", expected_headings, headings),
        ("code blocks", gold["code_blocks"], len(_FENCES.findall(lesson.text)) // 2),
        ("tables", gold["tables"], len(_TABLE_RULES.findall(outside_code))),
    ]
    # The reference sees neither front matter nor tables in a file with Windows line ends.
    unseen = {"front matter", "tables"} if b"\r\n" in raw else set()
    for field, expected, found in checks:
        if expected != found and field not in unseen:
            yield Difference(source.path, field, expected, found)
    yield from _compared_words(gold, source, lesson)


def _compared_words(gold: dict[str, object], source: SourceFile, lesson: Lesson) -> Iterator[Difference]:
    expected, found = int(str(gold["words"])), len(lesson.text.split())
    if abs(expected - found) > expected * _WORDS_TOLERATED:
        yield Difference(source.path, "words", expected, found)


def _pairs(value: object) -> list[tuple[int, str]]:
    return [(int(level), str(title)) for level, title in value] if isinstance(value, list) else []


def main() -> int:
    """Print each difference and a summary; the exit code counts the files that differ."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "pack", type=Path, nargs="?", default=PACK, help="folder with ingest_gold.jsonl and corpus/"
    )
    pack: Path = arguments.parse_args().pack
    if not (pack / "ingest_gold.jsonl").is_file():
        sys.stdout.write(f"{pack} is not here, so there is nothing to measure.\n")
        return 0
    reader, files = read_book(pack / "corpus")
    sources = {source.path: source for source in files}
    differing: set[str] = set()
    rows = [json.loads(line) for line in (pack / "ingest_gold.jsonl").read_text().splitlines()]
    for gold in rows:
        source = sources.pop(gold["file"])
        lessons = read_file(reader, source)
        for difference in compared(gold, source, lessons[0]):
            differing.add(difference.file)
            sys.stdout.write(f"{difference.file}: {difference.field}: ")
            sys.stdout.write(f"expected {difference.expected}, found {difference.found}\n")
    sys.stdout.write(
        f"{len(rows) - len(differing)} of {len(rows)} files are read as expected; extra: {len(sources)}\n"
    )
    return min(len(differing), 100)


if __name__ == "__main__":
    sys.exit(main())
