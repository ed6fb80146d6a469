"""The page for everybody: phones, dark rooms, keyboards, screen readers, and against mischief."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.bot.adapters.web.browser.conftest import open_page
from tests.bot.adapters.web.browser.test_moves import ask
from tests.bot.adapters.web.site import TOKEN, Site, open_site
from tests.bot.adapters.web.telling import SENTENCE, TellingAgent

READ = (
    *("ink on paper", "ink on accent-soft", "ink on bad-soft", "link on paper", "accent on accent-soft"),
    *("muted on paper", "muted on raised", "muted on sunken", "muted on accent-soft"),
    *(
        "accent-ink on accent",
        "bad on bad-soft",
        "marked-ink on marked",
        "rail-ink on rail",
        "rail-strong on rail",
    ),
)
"""Which colours words have, and on which ground they stand."""

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_a_phone_shows_one_thing_at_a_time_and_leads_back(browser: Browser, shown: Site) -> None:
    context = await browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = await open_page(await context.new_page(), shown.url)
    await ask(page, "What is a topic?")
    await expect(page.locator("#thread-posts .post.answer")).to_be_visible()
    await page.tap("#thread-posts .mark")
    await expect(page.locator("#side mark")).to_be_in_viewport()

    width = await page.evaluate("document.documentElement.scrollWidth")
    await page.go_back()
    await expect(page.locator("#side")).to_be_hidden()
    await page.tap("#thread-back")
    await expect(page.locator("#thread")).to_be_hidden()
    await expect(page.locator("#feed .post")).to_be_in_viewport()
    assert width == 390
    await context.close()


async def test_dark_rooms_get_dark_colours_and_a_choice_is_kept(browser: Browser, shown: Site) -> None:
    context = await browser.new_context(color_scheme="dark")
    page = await open_page(await context.new_page(), shown.url)
    dark = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    await page.click("#theme")
    light = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    await page.reload()

    assert dark == "rgb(25, 27, 33)"
    assert light == "rgb(252, 251, 248)"
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == light
    await context.close()


async def test_everything_can_be_done_with_the_keyboard_alone(page: Page, telling: TellingAgent) -> None:
    await expect(page.locator("#channel-input")).to_be_focused()
    await page.keyboard.type("What is a topic?")
    await page.keyboard.press("Enter")
    await expect(page.locator("#thread-posts .post.answer")).to_be_visible()
    await expect(page.locator("#thread-input")).to_be_focused()

    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("ArrowUp")
    await expect(page.locator("#thread-posts .post.question")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("#thread-posts .post.answer")).to_be_focused()
    await page.keyboard.press("1")
    await expect(page.locator("#side mark")).to_have_text(SENTENCE)
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#side .place")).to_have_text("Passage 3 of 3")
    await page.keyboard.press("Escape")
    await expect(page.locator("#side")).to_be_hidden()
    await page.focus("#thread-posts .post.answer")
    await page.keyboard.press("r")
    await page.keyboard.type("Why?")
    await page.keyboard.press("Enter")
    await expect(page.locator("#thread-posts .post.answer")).to_have_count(2)
    await page.keyboard.press("Control+k")
    await expect(page.locator("#side input[type=search]")).to_be_focused()

    assert telling.asked[1].selected_text == f"{SENTENCE} [1]"


async def test_every_control_has_a_name_and_every_region_a_label(page: Page) -> None:
    await ask(page, "What is a topic?")
    await expect(page.locator("#thread-posts .post.answer")).to_be_visible()
    await page.click("#thread-posts .mark")
    await expect(page.locator("#side mark")).to_be_visible()

    snapshot = await page.locator("body").aria_snapshot()

    nameless = re.findall(
        r"^\s*- (?:button|link|checkbox|combobox|textbox|main|complementary|navigation):?$",
        snapshot,
        flags=re.MULTILINE,
    )
    assert nameless == []
    assert 'button "Footnote 1: Nodes, What is a topic?"' in snapshot


@pytest.mark.parametrize("theme", ["light", "dark"], ids=str)
async def test_words_can_be_read_on_their_ground(page: Page, theme: str) -> None:
    """WCAG AA: 4.5 to 1 for text."""
    pairs = [tuple(pair.split(" on ")) for pair in READ]
    await page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    values = await page.evaluate(
        "names => names.map(name => getComputedStyle(document.documentElement).getPropertyValue('--' + name))",
        [name for pair in pairs for name in pair],
    )

    found = {pair: _contrast(values[2 * n], values[2 * n + 1]) for n, pair in enumerate(pairs)}
    assert {pair: round(value, 2) for pair, value in found.items() if value < 4.5} == {}


async def test_mischief_in_a_question_a_name_or_a_book_runs_nothing(page: Page) -> None:
    mischief = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    await page.evaluate("name => localStorage.setItem('footnote.name', name)", "<b>Eve</b>")
    await ask(page, f"What is a topic? {mischief}")
    await expect(page.locator("#thread-posts .post.answer")).to_be_visible()
    await page.goto(page.url.split("#")[0] + "#/channel?search=light+camera")
    await expect(page.locator(".hit").first).to_contain_text("A camera measures light")

    assert await page.title() == "Footnote · study group"
    assert await page.locator(".post img[src=x], .post script, .hit script, .by b").count() == 0


async def test_a_token_is_asked_for_once(browser: Browser, tmp_path: Path) -> None:
    async with open_site(tmp_path / "closed", TellingAgent(), token=TOKEN) as site:
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(site.url)
        await page.fill("#token", "wrong")
        await page.press("#token", "Enter")
        await expect(page.locator("#wrong")).to_be_visible()
        await page.fill("#token", TOKEN)
        await page.press("#token", "Enter")

        await page.wait_for_selector("body[data-ready]")
        await expect(page.locator("#welcome")).to_contain_text("First, a book")
        await context.close()


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour.strip().lstrip("#")[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
