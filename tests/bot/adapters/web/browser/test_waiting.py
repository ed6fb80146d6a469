"""What a person sees while an answer is on its way, and what can be done with it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from core.errors import ServiceDown
from tests.bot.adapters.web.browser.conftest import learn, open_page
from tests.bot.adapters.web.browser.test_moves import ask
from tests.bot.adapters.web.site import Site, add_small_book, open_site
from tests.bot.adapters.web.telling import SENTENCE, TellingAgent

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.fixture
def telling() -> TellingAgent:
    return TellingAgent(is_stepped=True)


async def test_stages_then_the_words_so_far_then_the_whole_answer(page: Page, telling: TellingAgent) -> None:
    await ask(page, "What is a topic?")
    waiting = page.locator("[data-waiting]")
    await expect(waiting).to_contain_text("Reading your question")
    telling.go_on()
    await expect(waiting).to_contain_text("Looking it up in the book")
    telling.go_on()
    await expect(waiting.locator(".prose")).to_contain_text(SENTENCE[: len(SENTENCE) // 2])
    telling.go_on(2)

    await expect(page.locator("#thread-posts .post.answer")).to_contain_text(SENTENCE)
    await expect(waiting).to_have_count(0)
    await expect(page.locator("#announcer")).to_have_text("The answer is there.")


async def test_a_page_that_is_opened_in_the_middle_sees_the_words_so_far(
    page: Page, browser: Browser, shown: Site, telling: TellingAgent
) -> None:
    await ask(page, "What is a topic?")
    telling.go_on(2)
    await expect(page.locator("[data-waiting] .prose")).to_be_visible()

    context = await browser.new_context()
    other = await open_page(await context.new_page(), page.url)
    await expect(other.locator("[data-waiting] .prose")).to_contain_text(SENTENCE[:10])
    telling.go_on(2)
    await expect(other.locator("#thread-posts .post.answer")).to_contain_text(SENTENCE)
    await context.close()


async def test_stop_ends_the_waiting(page: Page, telling: TellingAgent) -> None:
    await ask(page, "What is a topic?")
    await page.click("[data-waiting] >> text=Stop")

    await expect(page.locator("#thread-posts .post.notice")).to_contain_text("Stopped, as you asked.")


async def test_a_failure_is_told_and_can_be_tried_again(page: Page, telling: TellingAgent) -> None:
    telling.fails_with = ServiceDown("qdrant", "connection refused")
    await ask(page, "What is a topic?")
    telling.go_on(2)
    failed = page.locator("#thread-posts .post.notice.failed")
    await expect(failed).to_contain_text("cannot be reached right now")
    await failed.locator("text=Try again").click()
    await expect(page.locator("[data-waiting]")).to_have_count(1)
    telling.go_on(4)

    await expect(page.locator("#thread-posts .post.answer")).to_contain_text(SENTENCE)


async def test_an_answer_can_be_rated_copied_and_asked_again(page: Page, telling: TellingAgent) -> None:
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await ask(page, "What is a topic?")
    telling.go_on(4)
    answer = page.locator("#thread-posts .post.answer").first
    await answer.locator("[data-verdict=down]").click()
    await expect(answer.locator("[data-verdict=down]")).to_have_attribute("aria-pressed", "true")
    await answer.locator(".trust").click()
    await expect(answer.locator(".why")).to_contain_text("91 in 100")
    await answer.locator(".after >> text=Copy").click()
    await expect(page.locator(".toast >> text=Copied.")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    await answer.locator("text=Ask again").click()
    telling.go_on(4)

    await expect(page.locator("#thread-posts .post.answer")).to_have_count(2)
    assert copied.startswith(f"{SENTENCE} [1]\n\n[1] Nodes")
    assert [question.text for question in telling.asked] == ["What is a topic?"] * 2


async def test_a_thread_is_forgotten_after_a_second_thought(
    page: Page, shown: Site, telling: TellingAgent
) -> None:
    await ask(page, "What is a topic?")
    telling.go_on(4)
    await expect(page.locator("#thread-posts .post.answer")).to_be_visible()
    await page.click("#thread-forget")
    await page.click("dialog >> text=Cancel")
    await expect(page.locator("#thread-posts .post")).to_have_count(2)
    await page.click("#thread-forget")
    await page.click("dialog >> text=Forget it")

    await expect(page.locator("#thread")).to_be_hidden()
    await expect(page.locator("#feed .post")).to_have_count(0)
    assert await shown.parts.posts.channel("study-group") == []


async def test_too_long_a_question_is_told_before_it_is_sent(page: Page, telling: TellingAgent) -> None:
    await page.fill("#channel-input", "x" * 2001)

    await expect(page.locator("#channel-hint")).to_have_text(
        "2001 of at most 2000 characters: shorten it, or ask in parts."
    )
    await expect(page.locator("#channel-composer button[type=submit]")).to_be_disabled()
    assert telling.asked == []


@pytest_asyncio.fixture(loop_scope="package")
async def restarting(
    tmp_path: Path, browser: Browser, book_folder: Path
) -> AsyncIterator[tuple[Path, Page, TellingAgent]]:
    """An open page whose server stopped while it waited for an answer."""
    stuck = TellingAgent(is_stepped=True)
    context = await browser.new_context()
    async with open_site(tmp_path / "data", stuck) as site:
        await add_small_book(site.parts.library, book_folder)
        page = await open_page(await context.new_page(), site.url)
        await ask(page, "What is a topic?")
        await expect(page.locator("[data-waiting]")).to_have_count(1)
    yield tmp_path / "data", page, TellingAgent(is_stepped=True)
    await context.close()


async def test_a_page_survives_a_restart_and_shows_one_whole_answer(
    restarting: tuple[Path, Page, TellingAgent],
) -> None:
    data_dir, page, agent = restarting
    await expect(page.locator("#connection")).to_have_text("Not connected. Trying again …")
    await ask(page, "And a service?", where="thread")
    await expect(page.locator("#thread-hint")).to_contain_text("cannot be reached")
    port = int(page.url.split(":")[2].split("/")[0])

    async with open_site(data_dir, agent, port=port) as site:
        await learn(agent, site)
        agent.go_on(8)
        await expect(page.locator("#thread-posts .post.answer")).to_have_count(1)
        await expect(page.locator("#connection")).to_be_empty()
        await expect(page.locator("#thread-input")).to_have_value("And a service?")
        await page.press("#thread-input", "Enter")
        await expect(page.locator("#thread-posts .post.answer")).to_have_count(2)

    assert [question.text for question in agent.asked] == ["What is a topic?", "And a service?"]
