"""What cannot be looked at for a while stays in the library."""

import os
import sys
from pathlib import Path

import pytest

from core.ingestion.discovery import open_book
from core.ingestion.readers.site.fetching import SiteLimits
from core.ingestion.request import IngestRequest
from core.store.job import Job, JobStatus
from tests.core.ingestion.making import a_zip
from tests.core.ingestion.readers.site_server import Answer, Site, a_site
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, passage

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMITS = SiteLimits(delay_seconds=0)
PAGES = {"/": ("start", "one", "two"), "/one": ("gripper",), "/two": ("wrist",)}


def page(word: str, *links: str) -> Answer:
    anchors = "".join(f'<a href="/{link}">{link}</a>' for link in links)
    return Answer(f"<main><h1>About {word}</h1><p>{passage(word)}</p>{anchors}</main>")


def sitemap(*pages: str) -> Answer:
    return Answer(
        f"<urlset>{''.join(f'<url><loc>{{site}}/{each}</loc></url>' for each in pages)}</urlset>", kind="text/xml"
    )


async def take_in_site(workshop: Workshop, site: Site) -> Job:
    async with open_book(
        site.address, scratch=workshop.folder / "scratch", allows_private=True, limits=LIMITS
    ) as opened:
        return await workshop.take_in(IngestRequest(site.address, BOOK), opened)


async def words(workshop: Workshop) -> set[str]:
    """What the book is about, passage by passage."""
    return {chunk.text.partition("The ")[2].split()[0] for chunk in (await workshop.chunks()).values()}


@pytest.mark.parametrize("has_sitemap", [False, True])
@pytest.mark.parametrize("status", [500, 503, 429, 403])
async def test_a_page_that_fails_for_a_moment_stays_and_is_named(
    workshop: Workshop, status: int, has_sitemap: bool
) -> None:
    pages = {path: page(*each) for path, each in PAGES.items()}
    if has_sitemap:
        pages["/sitemap.xml"] = sitemap("", "one", "two")
    async with a_site(pages) as site:
        await take_in_site(workshop, site)
        site.pages["/two"] = Answer("Come again.", status)

        job = await take_in_site(workshop, site)

        assert (job.files_failed, job.chunks_deleted) == (1, 0)
        assert [error.message for error in job.errors] == [f"{site.address}/two answered {status}."]
    assert await words(workshop) == {"start", "gripper", "wrist"}


async def test_what_only_a_failing_page_links_to_stays_too(workshop: Workshop) -> None:
    async with a_site({"/": page("start", "one"), "/one": page("gripper", "two"), "/two": page("wrist")}) as site:
        await take_in_site(workshop, site)
        site.pages["/one"] = Answer("Come again.", 503)

        job = await take_in_site(workshop, site)

    assert (job.files_failed, job.chunks_deleted) == (1, 0)
    assert await words(workshop) == {"start", "gripper", "wrist"}


@pytest.mark.parametrize("status", [404, 410])
async def test_a_page_that_is_gone_goes(workshop: Workshop, status: int) -> None:
    async with a_site({path: page(*each) for path, each in PAGES.items()}) as site:
        await take_in_site(workshop, site)
        site.pages["/two"] = Answer("Nothing here.", status)

        job = await take_in_site(workshop, site)

    assert (job.files_failed, job.chunks_deleted) == (0, 1)
    assert await words(workshop) == {"start", "gripper"}


async def test_nothing_goes_while_the_list_of_pages_cannot_be_had(workshop: Workshop) -> None:
    pages = {"/": page("start"), "/one": page("gripper"), "/sitemap.xml": sitemap("", "one")}
    async with a_site(pages) as site:
        await take_in_site(workshop, site)
        site.pages["/sitemap.xml"] = Answer("Come again.", 503)

        job = await take_in_site(workshop, site)

        assert (job.files_failed, job.chunks_deleted) == (1, 0)
        assert await words(workshop) == {"start", "gripper"}
        site.pages["/sitemap.xml"] = sitemap("")

        job = await take_in_site(workshop, site)

    assert (job.files_failed, job.chunks_deleted) == (0, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="paths are measured in another way there")
@pytest.mark.parametrize("is_mdbook", [False, True])
async def test_the_files_of_a_folder_that_cannot_be_opened_stay(
    workshop: Workshop, tmp_path: Path, is_mdbook: bool
) -> None:
    part = "a part with a name that makes the path to it longer than the system takes".replace(" ", "-")
    if is_mdbook:
        workshop.write({"SUMMARY.md": f"- [A](a.md)\n- [B]({part}/b.md)\n"})
    workshop.write({"a.md": lesson(passage("gripper")), f"{part}/b.md": lesson(passage("wrist"))})
    await workshop.ingest()
    # Who may do everything may open every folder, but not at the end of such a path.
    longest = os.pathconf(tmp_path, "PC_PATH_MAX")
    far = tmp_path
    while len(os.fspath(far)) + len(part) < longest:
        far /= "x" * 50
    far.parent.mkdir(parents=True)
    moved = far
    workshop.source.rename(moved)
    (moved / "a.md").write_text(lesson(passage("elbow")))

    job = await workshop.ingestion.ingest(IngestRequest(str(moved), BOOK))

    assert (job.status, job.files_processed, job.files_failed) == (JobStatus.COMPLETED, 1, 1)
    assert job.errors[0].source_file == (f"{part}/b.md" if is_mdbook else part)
    assert "cannot be opened" in job.errors[0].message
    assert await words(workshop) == {"elbow", "wrist"}
    await workshop.check_all_is_well()


@pytest.mark.parametrize("name", ["book/b.md", "top.md"])
async def test_a_damaged_entry_of_an_archive_leaves_all_that_was_read_before(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    archive = tmp_path / "book.zip"
    a_zip(archive, {"book/a.md": lesson(passage("gripper")), name: lesson(passage("wrist"))})
    request = IngestRequest(str(archive), BOOK)
    await workshop.ingestion.ingest(request)
    content = bytearray(archive.read_bytes())
    at = content.index(name.encode()) + len(name) + 20
    content[at] ^= 0xFF
    archive.write_bytes(content)

    job = await workshop.ingestion.ingest(request)

    assert (job.files_failed, job.chunks_deleted) == (1, 0)
    assert "is damaged" in job.errors[0].message
    assert await words(workshop) == {"gripper", "wrist"}
