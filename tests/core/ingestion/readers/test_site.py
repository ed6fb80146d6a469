import gzip
from pathlib import Path

import pytest

from core.errors import LibraryError, ServiceDown
from core.ingestion.discovery import open_book
from core.ingestion.file_reading import read_file
from core.ingestion.readers.site.fetching import SiteLimits
from tests.core.ingestion.making import prose
from tests.core.ingestion.readers.pdf_making import a_pdf, column
from tests.core.ingestion.readers.site_server import Answer, a_site

LIMITS = SiteLimits(delay_seconds=0, timeout_seconds=5)


def _page(title: str, *links: str) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return (
        f"<html><body><main><h1>{title}</h1><p>{prose(40, word=title.lower())}</p>{anchors}</main></body></html>"
    )


async def _titles(source: str, scratch: Path, limits: SiteLimits = LIMITS) -> list[str]:
    async with open_book(source, scratch=scratch, allows_private=True, limits=limits) as book:
        return [lesson.title for file in book.files for lesson in read_file(book.reader, file)]


async def _refused(source: str, scratch: Path, limits: SiteLimits = LIMITS) -> str:
    async with open_book(source, scratch=scratch, allows_private=True, limits=limits) as book:
        return " ".join((*book.refused, *(each.reason for each in book.unseen)))


async def test_a_site_is_read_by_its_sitemap(tmp_path: Path) -> None:
    listed = "".join(f"<url><loc>{{site}}/docs/{page}</loc></url>" for page in ("b", "a"))
    pages: dict[str, Answer | str] = {
        "/robots.txt": Answer("Sitemap: {site}/index.xml", kind="text/plain"),
        "/index.xml": Answer(
            "<sitemapindex><sitemap><loc>{site}/map.xml</loc></sitemap></sitemapindex>", kind="text/xml"
        ),
        "/map.xml": Answer(f"<urlset>{listed}<url><loc>{{site}}/blog/x</loc></url></urlset>", kind="text/xml"),
        "/docs/a": _page("Alpha"),
        "/docs/b": _page("Beta"),
        "/blog/x": _page("Blog"),
    }
    async with a_site(pages) as site:
        titles = await _titles(f"{site.address}/docs/", tmp_path)

    assert titles == ["Beta", "Alpha"]
    assert "/blog/x" not in site.asked


async def test_a_sitemap_may_be_packed(tmp_path: Path) -> None:
    async with a_site({"/a": _page("Alpha")}) as site:
        packed = gzip.compress(f"<urlset><url><loc>{site.address}/a</loc></url></urlset>".encode())
        site.pages["/map.xml.gz"] = Answer(packed, kind="application/gzip")

        assert await _titles(f"{site.address}/map.xml.gz", tmp_path) == ["Alpha"]


async def test_without_a_sitemap_links_are_followed_inside_the_book(tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {
        "/book/": _page("Start", "one.html", "one.html#again", "/other/", "http://elsewhere.invalid/", "x.png"),
        "/book/one.html": _page("One", "./", "two.html"),
        "/book/two.html": _page("Two"),
        "/other/": _page("Other"),
    }
    async with (
        a_site(pages) as site,
        open_book(f"{site.address}/book/", scratch=tmp_path, allows_private=True, limits=LIMITS) as book,
    ):
        lessons = [lesson for file in book.files for lesson in read_file(book.reader, file)]

    assert [lesson.title for lesson in lessons] == ["Start", "One", "Two"]
    assert lessons[1].address == f"{site.address}/book/one.html"
    assert site.asked.count("/book/one.html") == 1


async def test_pages_closed_to_robots_are_not_asked_for(tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {
        "/robots.txt": Answer("User-agent: *\nDisallow: /secret", kind="text/plain"),
        "/": _page("Start", "/secret", "/open"),
        "/secret": _page("Secret"),
        "/open": _page("Open"),
    }
    async with a_site(pages) as site:
        refused = await _refused(site.address, tmp_path)

    assert "/secret is closed to robots" in refused
    assert "/secret" not in site.asked
    assert "/open" in site.asked


async def test_a_site_that_cannot_say_what_robots_may_read_is_left_alone(tmp_path: Path) -> None:
    async with a_site({"/robots.txt": Answer("oops", 503), "/": _page("Start")}) as site:
        with pytest.raises(LibraryError, match="cannot say what robots may read"):
            await _titles(site.address, tmp_path)


async def test_the_number_of_pages_is_bounded(tmp_path: Path) -> None:
    pages = {f"/{n}": _page(f"Page{n}", f"/{n + 1}") for n in range(20)}
    limits = SiteLimits(delay_seconds=0, pages=3)
    async with a_site(pages) as site:
        assert len(await _titles(f"{site.address}/0", tmp_path, limits)) == 3
        assert "more than 3 pages" in await _refused(f"{site.address}/0", tmp_path, limits)


async def test_what_cannot_be_fetched_is_named_and_the_rest_comes(tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {
        "/": _page("Start", "/gone", "/large", "/away", "/circle", "/fine"),
        "/large": Answer("x" * 20_000),
        "/away": Answer(status=302, location="http://other.invalid/"),
        "/circle": Answer(status=301, location="{site}/circle"),
        "/fine": _page("Fine"),
    }
    limits = SiteLimits(delay_seconds=0, page_bytes=10_000)
    async with a_site(pages) as site:
        assert await _titles(site.address, tmp_path, limits) == ["Start", "Fine"]
        refused = await _refused(site.address, tmp_path, limits)

    assert "/gone answered 404" in refused
    assert "/large is larger than" in refused
    assert "leads to another site, other.invalid" in refused
    assert "redirects round in a circle" in refused


async def test_a_book_behind_an_address_is_downloaded(tmp_path: Path) -> None:
    content = a_pdf([column(["Some words on a page of a book."])], title="Robots")
    async with a_site({"/get/robots.pdf": Answer(content, kind="application/pdf")}) as site:
        address = f"{site.address}/get/robots.pdf"
        async with open_book(address, scratch=tmp_path, allows_private=True, limits=LIMITS) as book:
            lesson = read_file(book.reader, book.files[0])[0]

    assert (lesson.title, lesson.address) == ("Robots", address)


async def test_a_private_address_is_refused_unless_allowed(tmp_path: Path) -> None:
    async with a_site({"/": _page("Start")}) as site:
        port = site.address.rpartition(":")[2]
        for address in (site.address, f"http://localhost:{port}/", f"http://[::ffff:127.0.0.1]:{port}/"):
            with pytest.raises(LibraryError, match="leads into a private network"):
                async with open_book(address, scratch=tmp_path, limits=LIMITS):
                    pass

    assert site.asked == []


async def test_a_site_that_is_away_is_a_service_that_is_down(tmp_path: Path) -> None:
    async with a_site({}) as site:
        gone = site.address

    with pytest.raises(ServiceDown, match="cannot be reached"):
        await _titles(gone, tmp_path)
