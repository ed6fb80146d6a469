"""Books over HTTP: reading, searching, adding, removing."""

import asyncio
import io
import json
import zipfile
from urllib.parse import quote

import aiohttp
import pytest

from bot.adapters.web.uploads import safe_path, to_book_id
from core.errors import LibraryError
from tests.bot.adapters.web.site import WAIT, Site


async def _get(site: Site, path: str, status: int = 200) -> "dict[str, object]":
    async with site.http.get(site.url + path) as response:
        assert response.status == status, await response.text()
        content: dict[str, object] = await response.json()
        return content


async def test_a_book_shows_its_outline(site: Site) -> None:
    book = await _get(site, "/api/books/robots")

    lessons = book["lessons"]
    assert isinstance(lessons, list)
    assert [lesson["title"] for lesson in lessons] == ["Nodes", "Services", "Cameras"]
    assert lessons[0]["sections"] == ["Nodes", "What is a topic?", "Names"]
    assert lessons[2]["module"] == "perception"
    assert book["lesson_count"] == 3


async def test_a_lesson_can_be_read_and_its_anchors_lead_to_its_sections(site: Site) -> None:
    book = await _get(site, "/api/books/robots")
    found = await _get(site, "/api/search?q=topic subscriber message&limit=1")
    hit = found["results"][0]  # type: ignore[index]
    page_address, _, anchor = hit["url"].partition("#")

    async with site.http.get(site.url + page_address) as response:
        page = await response.text()

    assert response.status == 200
    assert page_address == book["lessons"][0]["read_at"]  # type: ignore[index]
    assert not anchor or f'id="{anchor}"' in page
    assert '<h2 id="what-is-a-topic">What is a topic?</h2>' in page
    assert "Services" in page


async def test_no_html_of_a_book_reaches_the_reading_page(site: Site) -> None:
    book = await _get(site, "/api/books/robots")

    async with site.http.get(site.url + book["lessons"][2]["read_at"]) as response:  # type: ignore[index]
        page = await response.text()

    assert "alert('book')" not in page.replace("&#x27;", "'") or "<script>alert" not in page
    assert page.count("<script") == 1


@pytest.mark.parametrize(
    "path",
    ["/read/robots/nowhere", "/read/nobook/x", "/api/books/nobook", "/api/passages/none", "/api/jobs/99"],
    ids=str,
)
async def test_what_is_not_there_is_told(site: Site, path: str) -> None:
    assert (await _get(site, path, 404))["message"]


async def test_somebody_who_followed_a_dead_link_gets_a_page(site: Site) -> None:
    async with site.http.get(f"{site.url}/read/robots/<b>gone", headers={"Accept": "text/html"}) as response:
        page = await response.text()

    assert (response.status, response.content_type) == (404, "text/html")
    assert "There is no such page in this book." in page
    assert 'href="/#/library"' in page


async def test_a_search_finds_passages_within_its_filters(site: Site) -> None:
    everywhere = await _get(site, "/api/search?q=lens distortion topic&limit=20")
    perception = await _get(site, "/api/search?q=lens distortion topic&module=perception&limit=20")

    modules = [hit["module"] for hit in perception["results"]]  # type: ignore[attr-defined]
    assert set(modules) == {"perception"}
    assert everywhere["total_found"] > perception["total_found"]  # type: ignore[operator]
    assert perception["filters"] == {"module": "perception"}
    first = perception["results"][0]  # type: ignore[index]
    assert first.keys() >= {
        "text",
        "score",
        "source_file",
        "section_title",
        "chapter",
        "lesson",
        "url",
        "chunk_index",
    }


@pytest.mark.parametrize(
    ("query", "field"),
    [
        pytest.param("q=ab", "search text", id="two letters"),
        pytest.param("q=abc&limit=21", "limit", id="limit 21"),
        pytest.param("q=abc&tier=5", "tier", id="tier 5"),
        pytest.param("q=abc&level=Z9", "level.0", id="no such level"),
        pytest.param("q=abc&chapter_min=3&chapter_max=2", "chapter_min", id="chapters the wrong way"),
        pytest.param("limit=3", "q", id="nothing to look for"),
    ],
)
async def test_a_search_outside_the_limits_is_refused(site: Site, query: str, field: str) -> None:
    problem = await _get(site, f"/api/search?{query}", 422)

    assert problem["details"]["field"] == field  # type: ignore[index]


async def test_a_passage_shows_the_quote_and_its_neighbours(site: Site) -> None:
    found = await _get(site, "/api/search?q=named channel subscriber&limit=1")
    hit = found["results"][0]  # type: ignore[index]

    passage = await _get(site, f"/api/passages/{hit['chunk_id']}?quote={quote('**Every subscriber** of a topic')}")

    assert "<strong><mark>Every subscriber</mark></strong><mark> of a topic</mark>" in str(passage["html"])
    assert (passage["position"], passage["total"]) == (hit["chunk_index"] + 1, hit["total_chunks"])
    assert passage["previous_id"] == hit["prev_chunk_id"]


async def test_filters_are_suggested_while_typing(site: Site) -> None:
    async with site.http.get(f"{site.url}/api/suggest?kind=module&prefix=per") as response:
        assert await response.json() == [{"value": "perception", "label": "perception"}]


async def test_the_first_questions_come_from_the_book(site: Site) -> None:
    questions = (await _get(site, "/api/starters"))["questions"]

    assert "What is a topic?" in questions  # type: ignore[operator]


def _form(title: str, *files: tuple[str, bytes]) -> aiohttp.FormData:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("title", title)
    for name, content in files:
        form.add_field("files", content, filename=name, content_type="application/octet-stream")
    return form


async def test_dropped_files_become_a_job_and_lie_in_the_data_folder(site: Site) -> None:
    form = _form("My Notes!", ("part/one.md", b"# One\n"), ("two.md", b"# Two\n"))

    async with site.http.post(f"{site.url}/api/books", data=form) as response:
        job = await response.json()

    stored = await site.parts.jobs.get(job["job_id"])
    assert response.status == 202
    assert (job["book_id"], job["status"]) == ("my-notes", "queued")
    assert stored.group is None
    assert stored.options["title"] == "My Notes!"
    assert sorted(path.name for path in site.parts.settings.data_dir.glob("uploads/my-notes/*/**/*.md")) == [
        "one.md",
        "two.md",
    ]


async def test_an_open_page_hears_of_every_step_of_a_job(site: Site) -> None:
    async with site.http.get(f"{site.url}/api/events") as events:
        await events.content.readuntil(b"\n\n")
        job = await site.parts.jobs.create(book="notes", source="x")
        states = []
        while "completed" not in states:
            block = (await asyncio.wait_for(events.content.readuntil(b"\n\n"), WAIT)).decode()
            told = json.loads(block.split("data: ")[1])["job"]
            states.append(told["status"])
            if told["status"] == "queued":
                claimed = await site.parts.jobs.claim(job.id)
                assert claimed is not None
                await site.parts.jobs.add_error(job.id, "bad.pdf", "It is encrypted.")
            if told["status"] == "running":
                await site.parts.jobs.finish(await site.parts.jobs.get(job.id))

    assert states == ["queued", "running", "completed"]
    assert told["errors"] == [{"source_file": "bad.pdf", "message": "It is encrypted."}]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("../../escape.md", b"# x", id="out of the folder"),
        pytest.param("/etc/cron.d/x.md", b"# x", id="an absolute path"),
        pytest.param("..\\..\\x.md", b"# x", id="backslashes"),
        pytest.param("a:b.md", b"# x", id="another stream of a file"),
        pytest.param("run.exe", b"MZ", id="a program"),
        pytest.param("page", b"# x", id="no kind"),
        pytest.param("book.pdf", b"<html>", id="not a PDF"),
        pytest.param("book.epub", b"%PDF-1.7", id="not an EPUB"),
    ],
)
async def test_a_file_that_cannot_be_taken_leaves_nothing_behind(site: Site, name: str, content: bytes) -> None:
    form = _form("Notes", ("good.md", b"# good"), (name, content))

    async with site.http.post(f"{site.url}/api/books", data=form) as response:
        problem = await response.json()

    assert response.status == 422
    assert problem["details"]["field"] == "files"
    assert not [path for path in site.parts.settings.data_dir.glob("uploads/**/*") if path.is_file()]
    assert await site.parts.jobs.list() == []


@pytest.mark.parametrize(
    ("title", "book_id"),
    [("The Rust Book", "the-rust-book"), ("Élan vital!", "elan-vital"), ("  a  b ", "a-b"), ("x" * 90, "x" * 60)],
    ids=str,
)
def test_a_title_becomes_a_short_name(title: str, book_id: str) -> None:
    assert to_book_id(title) == book_id


def test_a_title_without_letters_is_refused() -> None:
    with pytest.raises(LibraryError):
        to_book_id("¡!")


def test_a_path_keeps_its_folders_and_its_letters() -> None:
    assert safe_path("./Teil 1/Übung.md").parts == ("Teil 1", "Übung.md")


async def test_a_zip_is_taken_as_it_is(site: Site) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.md", "# A")

    async with site.http.post(f"{site.url}/api/books", data=_form("Z", ("z.zip", packed.getvalue()))) as response:
        job = await response.json()

    assert response.status == 202
    assert job["source"].endswith("z.zip")


async def test_a_book_is_removed(site: Site) -> None:
    async with site.http.delete(f"{site.url}/api/books/robots") as response:
        assert response.status == 204

    assert await site.parts.library.books(group=None) == []
    async with site.http.delete(f"{site.url}/api/books/robots") as response:
        assert response.status == 404


async def test_a_channel_asks_one_book(site: Site) -> None:
    async with site.http.put(f"{site.url}/api/channel/book", json={"book": "robots"}) as response:
        assert response.status == 204
    assert (await _get(site, "/api/channel"))["book"] == "robots"

    async with site.http.put(f"{site.url}/api/channel/book", json={"book": "other"}) as response:
        assert response.status == 404
