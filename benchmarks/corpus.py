"""A folder of Markdown lessons to measure with: one that is given, or the sample book many times over."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SAMPLE_BOOK = Path(__file__).parent.parent / "sample_book"
COPIES = 20


@contextmanager
def open_corpus(given: Path | None) -> Iterator[Path]:
    """*given*, or copies of the sample book of which no two lessons are the same."""
    if given is not None:
        yield given
        return
    with TemporaryDirectory() as folder:
        for number in range(COPIES):
            copy = Path(folder) / f"book-{number:02}"
            shutil.copytree(SAMPLE_BOOK, copy)
            for lesson in copy.rglob("*.md"):
                text = lesson.read_text(encoding="utf-8")
                lesson.write_text(text.replace("\n\n", f"\n\nEdition {number}. ", 3), encoding="utf-8")
        yield Path(folder)
