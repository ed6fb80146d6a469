"""The three moves, as a person makes them: ask, reply to a message, search."""

import pytest
from playwright.async_api import Page, expect

from core.model import Selection
from tests.bot.adapters.web.site import Site
from tests.bot.adapters.web.telling import SENTENCE, TellingAgent

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def ask(page: Page, text: str, *, where: str = "channel") -> None:
    """Write *text* and send it."""
    await page.fill(f"#{where}-input", text)
    await page.press(f"#{where}-input", "Enter")


async def test_a_question_opens_a_thread_with_its_answer(page: Page) -> None:
    await ask(page, "What is a topic?")

    answer = page.locator("#thread-posts .post.answer")
    await expect(answer).to_contain_text(SENTENCE)
    await expect(answer.locator(".sources li")).to_have_count(1)
    await expect(answer.locator(".trust")).to_have_text("Well supported")
    await expect(page.locator("#feed .post")).to_contain_text("1 reply")


async def test_a_footnote_opens_its_passage_with_the_words_marked_and_the_way_on(page: Page) -> None:
    await ask(page, "What is a topic?")
    await page.click("#thread-posts .mark")

    await expect(page.locator("#side mark")).to_have_text(SENTENCE)
    await expect(page.locator("#side .place")).to_have_text("Passage 2 of 3")
    await expect(page.locator("#thread-posts .mark")).to_be_visible()
    await page.click("#side [data-step=before]")
    await expect(page.locator("#side .place")).to_have_text("Passage 1 of 3")
    await expect(page.locator("#side mark")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(page.locator("#side")).to_be_hidden()


async def test_a_reply_to_a_message_asks_about_it(page: Page, telling: TellingAgent) -> None:
    await ask(page, "What is a topic?")
    await page.hover("#thread-posts .post.answer")
    await page.click("#thread-posts .post.answer .actions >> text=Reply")
    await expect(page.locator("#thread .about")).to_contain_text(SENTENCE)
    await ask(page, "Why is that so?", where="thread")

    await expect(page.locator("#thread-posts .post.answer")).to_have_count(2)
    assert telling.asked[1].selected_text == f"{SENTENCE} [1]"
    assert telling.asked[1].selection is Selection.OWN_ANSWER
    await expect(page.locator("#thread .about")).to_be_hidden()


async def test_selected_words_can_be_asked_about(page: Page, telling: TellingAgent) -> None:
    await ask(page, "What is a topic?")
    await page.locator("#thread-posts .post.answer .prose p").select_text()
    await page.click("text=Ask about this")
    await ask(page, "Which channel?", where="thread")

    await expect(page.locator("#thread-posts .post.answer")).to_have_count(2)
    assert telling.asked[1].selected_text is not None
    assert SENTENCE in telling.asked[1].selected_text


async def test_words_of_a_passage_can_be_asked_about(page: Page, telling: TellingAgent) -> None:
    await ask(page, "What is a topic?")
    await page.click("#thread-posts .mark")
    await page.click("#side >> text=Ask about this")
    await ask(page, "In other words?", where="thread")

    await expect(page.locator("#thread-posts .post.answer")).to_have_count(2)
    assert telling.asked[1].selection is Selection.BOOK
    assert SENTENCE in (telling.asked[1].selected_text or "")


async def test_a_search_is_completed_filtered_and_shared(page: Page, shown: Site) -> None:
    await page.focus("#channel-input")
    await page.keyboard.type("/sea")
    await expect(page.locator(".completions li")).to_have_count(1)
    await page.keyboard.press("Tab")
    await page.keyboard.type("lens distortion topic mod")
    await expect(page.locator(".completions li")).to_have_count(1)
    await page.keyboard.press("Tab")
    await expect(page.locator("#channel-input")).to_have_value("/search lens distortion topic module:")
    await page.keyboard.type("per")
    await expect(page.locator(".completions li")).to_have_text(["perception"])
    await page.keyboard.press("Tab")
    await expect(page.locator("#channel-input")).to_have_value("/search lens distortion topic module:perception ")
    await page.keyboard.press("Enter")

    hits = page.locator(".hit")
    await expect(hits).to_have_count(1)
    await expect(hits).to_contain_text("Calibration finds the focal length")
    await expect(page.locator("input[name=module]")).to_have_value("perception")
    await hits.locator("text=Share").click()
    await expect(page.locator("#feed .post.passage")).to_have_count(1)


async def test_a_passage_that_was_found_can_be_asked_about(page: Page, telling: TellingAgent) -> None:
    await page.keyboard.press("Control+k")
    await page.keyboard.type("lens distortion")
    await page.keyboard.press("Enter")
    await page.click(".hit >> nth=0 >> text=Ask about this")
    await expect(page.locator("#channel .about")).to_be_visible()
    await ask(page, "What is a topic?")

    await expect(page.locator("#thread-posts .post.answer")).to_have_count(1)
    await expect(page.locator("#thread-posts .quoted")).to_contain_text("Calibration finds")
    assert telling.asked[0].selection is Selection.BOOK


async def test_what_is_typed_right_after_opening_the_search_is_not_lost(page: Page) -> None:
    focused = await page.evaluate("""() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
        return document.activeElement.name;
    }""")

    assert focused == "search"


async def test_first_questions_come_from_the_book_and_can_be_asked(page: Page) -> None:
    await page.click(".starter >> text=What is a topic?")

    await expect(page.locator("#thread-posts .post.answer")).to_contain_text(SENTENCE)
    await expect(page.locator("#welcome")).to_be_hidden()


async def test_a_refusal_says_so_and_offers_the_nearest_section(page: Page) -> None:
    await ask(page, "How is the weather?")

    refusal = page.locator("#thread-posts .post.refusal")
    await expect(refusal).to_contain_text("I don't have information about that")
    await refusal.locator(".nearest button").click()
    await expect(page.locator("#side")).to_contain_text(SENTENCE)


async def test_a_note_is_only_said(page: Page, telling: TellingAgent) -> None:
    await page.uncheck("#channel-composer .mode input")
    await ask(page, "See you at noon.")

    await expect(page.locator("#feed .post.note")).to_contain_text("See you at noon.")
    assert telling.asked == []
