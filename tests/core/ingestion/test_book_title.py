"""A book is called what it calls itself."""

from pathlib import Path

import pytest

from core.ingestion.book_title import title_of
from core.ingestion.discovery import read_book
from core.model import Book
from tests.core.ingestion.workshop import BOOK, Workshop, lesson


@pytest.mark.parametrize(
    ("files", "title"),
    [
        pytest.param({"README.md": "# Physical *AI*\n\nText.", "a.md": "# A"}, "Physical AI", id="heading"),
        pytest.param({"index.md": "---\ntitle: 'Robots'\n---\n\n# Welcome"}, "Robots", id="front matter"),
        pytest.param({"index.html": "<title>Robots\n &amp; us</title><p>x"}, "Robots & us", id="web page"),
        pytest.param(
            {"book.toml": '[book]\ntitle = "The Book"', "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A"},
            "The Book",
            id="mdBook",
        ),
        pytest.param({"a.md": "# A lesson", "part/README.md": "# A part"}, None, id="nothing stands for it all"),
        pytest.param({"README.md": "No heading here."}, None, id="no title"),
        pytest.param({"README.md": "# \u202eevil"}, "evil", id="hidden characters"),
    ],
)
def test_the_title_is_found(tmp_path: Path, files: dict[str, str], title: str | None) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")

    assert title_of(read_book(tmp_path)[1]) == title


@pytest.mark.asyncio(loop_scope="module")
async def test_a_new_book_gets_its_own_title_and_keeps_it(workshop: Workshop) -> None:
    workshop.write({"README.md": "# Robots for us\n\nA book about robots.", "a.md": lesson("A camera sees.")})
    await workshop.ingest()
    assert await called(workshop) == "Robots for us"

    await workshop.library.save_book(Book(BOOK, "Our own name", embedding_model="letters", dimension=8))
    await workshop.ingest()

    assert await called(workshop) == "Our own name"


async def called(workshop: Workshop) -> str:
    return (await workshop.library.book(BOOK, group=None)).title
