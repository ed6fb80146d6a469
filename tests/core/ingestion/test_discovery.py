import os
import zipfile
from pathlib import Path

import pytest

from core.errors import LibraryError, UnreadableFile
from core.ingestion.discovery import open_book
from core.ingestion.file_reading import read_file
from tests.core.ingestion.making import a_book, a_zip


async def _titles(source: str, scratch: Path) -> list[str]:
    async with open_book(source, scratch=scratch) as book:
        return [lesson.title for file in book.files for lesson in read_file(book.reader, file)]


async def _refused(source: str, scratch: Path) -> str:
    async with open_book(source, scratch=scratch) as book:
        return " ".join(book.refused)


async def test_a_folder_and_a_file_are_opened_as_they_are(tmp_path: Path) -> None:
    a_book(tmp_path / "book", {"one.md": "# One\n\nWords enough.", "two.md": "# Two\n\nWords enough."})

    assert await _titles(str(tmp_path / "book"), tmp_path / "s") == ["One", "Two"]
    assert await _titles(str(tmp_path / "book" / "two.md"), tmp_path / "s") == ["Two"]


async def test_what_does_not_exist_says_so(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="does not exist"):
        await _titles(str(tmp_path / "nothing"), tmp_path / "s")


async def test_an_archive_is_unpacked_and_cleared_away(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "book.zip", {"book/01-one.md": "# One\n\nWords enough.", "book/x.png": "x"})

    assert await _titles(str(archive), tmp_path / "s") == ["One"]
    assert list((tmp_path / "s").iterdir()) == []


async def test_an_archive_may_hold_an_mdbook(tmp_path: Path) -> None:
    archive = a_zip(
        tmp_path / "b.zip", {"b/src/SUMMARY.md": "- [First](one.md)\n", "b/src/one.md": "Words enough to read."}
    )

    assert await _titles(str(archive), tmp_path / "s") == ["First"]


async def test_entries_that_lead_out_of_an_archive_are_left_out(tmp_path: Path) -> None:
    archive = a_zip(
        tmp_path / "b.zip",
        {"../evil.md": "x" * 40, "/abs.md": "x" * 40, "a/..\\..\\win.md": "x" * 40, "good.md": "Words enough."},
    )
    link = zipfile.ZipInfo("link.md")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(link, "/etc/passwd")

    refused = await _refused(str(archive), tmp_path / "s")

    assert refused.count("leads out of the archive") == 3
    assert "'link.md' is a link" in refused
    assert "evil.md" not in " ".join(name for _, _, names in os.walk(tmp_path) for name in names)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("bomb.zip", None, "unfolds to far more", id="bomb"),
        pytest.param("text.zip", b"not a zip at all", "is not a zip archive", id="not a zip"),
        pytest.param("cut.zip", b"PK\x03\x04 cut", "cut short", id="cut short"),
        pytest.param("empty.zip", b"", "is empty", id="empty"),
    ],
)
async def test_an_archive_that_cannot_be_unpacked_says_why(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is None:
        a_zip(path, {"bomb.md": b"0" * 30_000_000})
    else:
        path.write_bytes(content)

    with pytest.raises(LibraryError, match=message):
        await _titles(str(path), tmp_path / "s")


async def test_a_title_never_carries_what_a_person_cannot_see(tmp_path: Path) -> None:
    page = "<title>Se\u200bn\u202esors\n of it</title><p>Words enough to make a lesson.</p>"
    path = a_book(tmp_path, {"page.html": page}) / "page.html"

    assert await _titles(str(path), tmp_path / "s") == ["Sensors of it"]


async def test_a_file_that_went_away_meanwhile_is_unreadable(tmp_path: Path) -> None:
    path = a_book(tmp_path, {"book.pdf": "%PDF"}) / "book.pdf"
    async with open_book(str(path), scratch=tmp_path / "s") as book:
        path.unlink()

        with pytest.raises(UnreadableFile, match="cannot be opened: No such file"):
            read_file(book.reader, book.files[0])


async def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")

    with pytest.raises(LibraryError, match="neither a folder nor a file"):
        await _titles(str(tmp_path / "pipe.md"), tmp_path / "s")


async def test_a_lesson_of_a_few_letters_says_that_nothing_can_be_found_in_it(tmp_path: Path) -> None:
    path = a_book(tmp_path, {"tiny.md": "Hi."}) / "tiny.md"
    async with open_book(str(path), scratch=tmp_path / "s") as book:
        lesson = read_file(book.reader, book.files[0])[0]

    assert lesson.warnings == ("Tiny has next to no text to find anything by.",)
