"""The library as a leader uses it: reading a book, adding one, removing one."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.bot.adapters.web.browser.conftest import open_page
from tests.bot.adapters.web.site import Site, open_site
from tests.bot.adapters.web.telling import TellingAgent

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_dropped_files_become_a_book_with_progress_and_a_sentence_for_what_failed(
    browser: Browser, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.pdf"
    good.write_text(
        "---\nhardware_tier: 9\n---\n# Winches\n\nA winch pulls a cable with a drum.\n", encoding="utf-8"
    )
    bad.write_bytes(b"%PDF-1.7 and nothing more")
    async with open_site(tmp_path / "data", TellingAgent(), ingests=True) as site:
        context = await browser.new_context()
        page = await open_page(await context.new_page(), site.url)
        await page.click(".starter >> text=Open the library")
        await page.set_input_files("#book-files", [good, bad])
        await page.fill("input[name=title]", "Winch Notes")
        await page.click("text=Add this book")

        job = page.locator(".job")
        await expect(job).to_contain_text("Winch Notes")
        await expect(page.locator(".job[data-status=completed]")).to_contain_text("1 new passage")
        await expect(job.locator("details li")).to_contain_text("bad.pdf")
        await page.click(".book-card >> text=Winch Notes")
        await page.click(".remarks >> text=1 thing was noticed")
        await expect(page.locator(".remarks li")).to_have_text(
            "good.md – Hardware tier 9 is not one of 1 to 4; 4 is used."
        )
        await page.click(".outline li a")
        await expect(page.locator("article")).to_contain_text("A winch pulls a cable with a drum.")
        await context.close()


async def test_a_file_of_another_kind_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    (tmp_path / "song.mp3").write_bytes(b"ID3")
    await page.click("text=Library")
    await page.set_input_files("#book-files", tmp_path / "song.mp3")

    await expect(page.locator(".toast")).to_contain_text("no book file among these")


async def test_what_the_server_refuses_is_told_beside_the_form(page: Page, tmp_path: Path) -> None:
    (tmp_path / "fake.epub").write_bytes(b"not a zip at all")
    await page.click("text=Library")
    await page.set_input_files("#book-files", tmp_path / "fake.epub")
    await page.click("text=Add this book")

    await expect(page.locator(".drop .problem")).to_have_text("fake.epub is no EPUB file, whatever its name says.")


async def test_a_footnote_link_leads_to_its_section_of_the_lesson(page: Page, shown: Site) -> None:
    await page.click("text=Library")
    await page.click(".book-card >> text=Robots")
    await expect(page.locator(".outline li")).to_have_count(3)
    await page.goto(f"{shown.url}/read/robots/module-1-ros2/chapter-1-first-steps/nodes#names")

    await expect(page.locator("#names")).to_be_in_viewport()
    await expect(page.locator("nav >> text=Services")).to_be_visible()


async def test_a_book_is_removed_after_a_second_thought(page: Page, shown: Site) -> None:
    await page.click("text=Library")
    await page.click(".book-card >> text=Remove")
    await page.click("dialog >> text=Remove it")

    await expect(page.locator("#books")).to_contain_text("No book yet")
    await page.click("text=study-group")
    await expect(page.locator("#welcome")).to_contain_text("First, a book")


async def test_a_channel_can_ask_one_book_alone(page: Page, shown: Site) -> None:
    await page.select_option("#book", "robots")

    await expect(page.locator(".toast")).to_contain_text("asks that book alone")
    assert await shown.parts.library.binding("local", "study-group") == "robots"
