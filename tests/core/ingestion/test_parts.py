"""A lesson is read again when a file changes that it includes, and not opened while none does."""

from pathlib import Path
from time import time_ns

import pytest

from core.ingestion.changes import Changes, context_hash, find_changes
from core.ingestion.lesson import SourceFile
from core.ingestion.request import Mode
from core.ingestion.stamps import stamp_of
from core.ingestion.vouching import hash_and_stamp, is_untouched
from core.store.library import FileRecord
from tests.core.ingestion.making import a_book
from tests.core.ingestion.workshop import Workshop, lesson, passage

HOUR_NS = 3_600 * 10**9
MDBOOK = {
    "src/SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n",
    "src/one.md": f"# One\n\n{passage('gripper')}\n\n```rust\n{{{{#include ../code/a.rs}}}}\n```\n",
    "src/two.md": f"# Two\n\n{passage('elbow')}\n",
    "code/a.rs": "let wrist = 1;\n",
}
DOCUSAURUS = {
    "one.md": f"import Part from './_part.mdx';\n\n{passage('gripper')}\n\n<Part />\n",
    "two.md": lesson(passage("elbow")),
    "_part.mdx": "import More from './_more.mdx';\n\n<More />\n",
    "_more.mdx": "let wrist = 1;\n",
}


@pytest.mark.parametrize(
    ("files", "included"),
    [
        pytest.param(MDBOOK, "code/a.rs", id="mdBook"),
        pytest.param(DOCUSAURUS, "_more.mdx", id="a part of a part"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_a_change_of_what_a_lesson_includes_is_noticed(
    workshop: Workshop, files: dict[str, str], included: str
) -> None:
    workshop.write(files)
    await workshop.ingest()
    unchanged = await workshop.ingest()
    workshop.write({included: "let knuckle = 2;\n"})

    job = await workshop.ingest()

    assert (unchanged.files_processed, job.files_processed, job.files_skipped) == (0, 1, 1)
    assert await workshop.found_by_words("wrist") == []
    assert len(await workshop.found_by_words("knuckle")) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_a_file_that_is_included_and_comes_later_is_noticed(workshop: Workshop) -> None:
    workshop.write({path: text for path, text in MDBOOK.items() if path != "code/a.rs"})
    await workshop.ingest()
    workshop.write(MDBOOK)

    job = await workshop.ingest()

    assert job.files_processed == 1
    assert len(await workshop.found_by_words("wrist")) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_a_lesson_of_which_nothing_was_touched_is_not_opened() -> None:
    chapter, part = sorted((Path(__file__).parents[3] / "docs" / "adr").glob("*.md"))[:2]
    status = chapter.stat()
    source = SourceFile(chapter.name, str(chapter), status.st_size, stamp=stamp_of(status, now_ns=time_ns()))
    opened: list[str] = []

    def parts_of(each: SourceFile) -> list[Path]:
        opened.append(each.path)
        return [part]

    async def changes_from(records: dict[str, FileRecord]) -> Changes:
        return await find_changes(
            [source], records, mode=Mode.INCREMENTAL, base_url=None, since="9999", parts_of=parts_of
        )

    first = await changes_from({})
    file_hash, stamp = first.hashes[source.path], first.new_stamps[source.path]
    record = FileRecord(source.path, file_hash, context_hash=context_hash(source, None), stamp=stamp)

    assert (await changes_from({source.path: record})).unchanged == (source,)
    assert opened == [source.path]


def write_after_a_tick(path: Path, content: str) -> None:
    """Write *content*, again and again until the file system's clock has moved on since the last change."""
    before = path.stat().st_ctime_ns if path.exists() else 0
    path.write_text(content)
    while path.stat().st_ctime_ns == before:
        path.write_text(content)


@pytest.mark.parametrize("name", ["part.rs", "missing.rs"])
def test_a_stamp_vouches_until_a_part_is_touched_or_comes(tmp_path: Path, name: str) -> None:
    book = a_book(tmp_path, {"chapter.md": "Words.", "part.rs": "one"})
    chapter, parts = book / "chapter.md", [book / "part.rs", book / "missing.rs"]
    later_ns = time_ns() + HOUR_NS
    own = stamp_of(chapter.stat(), now_ns=later_ns)
    source = SourceFile("chapter.md", str(chapter), 6, stamp=own)
    before, stamp = hash_and_stamp(source, lambda _: parts, now_ns=later_ns)
    was_untouched = is_untouched(source, stamp, now_ns=later_ns)

    write_after_a_tick(book / name, "two")

    assert was_untouched
    assert not is_untouched(source, stamp, now_ns=later_ns)
    assert hash_and_stamp(source, lambda _: parts, now_ns=later_ns)[0] != before


def test_a_part_that_was_touched_just_now_is_not_vouched_for(tmp_path: Path) -> None:
    book = a_book(tmp_path, {"chapter.md": "Words.", "part.rs": "one"})
    source = SourceFile("chapter.md", str(book / "chapter.md"), 6, stamp="as it is")

    _, stamp = hash_and_stamp(source, lambda _: [book / "part.rs"], now_ns=time_ns())

    assert stamp == ""
