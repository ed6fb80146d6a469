"""Replies in the form Discord takes: limits, footnotes, tables, code, and nothing that pings."""

from dataclasses import replace

import pytest
from discord import ui

from bot.adapters.discord.custom_ids import from_custom_id, part_of, to_custom_id, to_mark
from bot.adapters.discord.layouts import progress_layout, reply_layouts
from bot.adapters.discord.reading_layouts import passage_layout, results_layout
from bot.adapters.discord.words import thread_name
from bot.reply import Footnote, Reply, ReplyKind
from bot.surface import Progress
from core.model import Filters, SearchHit, SearchResults, Stage
from tests.bot.group import CHUNKS
from tests.fakes.discord.checks import check_message, text_of, walk
from tests.fakes.discord.wire import V2_FLAG, Json

NONCE = "0123456789abcdef"


def to_messages(reply: Reply) -> list[Json]:
    """What is sent for a reply, each message checked as Discord would."""
    return [to_message(layout) for layout in reply_layouts(reply, NONCE)]


def to_message(layout: ui.LayoutView) -> Json:
    """A layout as it is sent, checked as Discord would."""
    components: list[Json] = layout.to_components()  # type: ignore[no-untyped-call]
    message: Json = {"components": components}
    check_message(message, flags=V2_FLAG)
    return message


def to_reply(text: str, *, sources: int = 1) -> Reply:
    footnotes = tuple(
        Footnote(n, f"Page {n}", "Section", "Book › Page", f"https://e.org/{n}", "quote", f"chunk-{n}")
        for n in range(1, sources + 1)
    )
    return Reply(ReplyKind.ANSWER, text, footnotes, confidence_level="high")


@pytest.mark.parametrize("length", [10, 3899, 3900, 3901, 8000, 20_000])
async def test_answer_of_any_length_fits_and_loses_nothing(length: int) -> None:
    words = " ".join(f"w{number}" for number in range(length // 5))[:length]

    messages = to_messages(to_reply(f"{words} [1]"))

    shown = " ".join(text_of(message) for message in messages)
    assert all(word in shown for word in words.split()[:-1])
    assert sum("-# [1]" in text_of(message) for message in messages) == 1
    assert "-# [1]" in text_of(messages[-1])


async def test_code_block_that_is_cut_is_closed_and_opened_again() -> None:
    code = "\n".join(f"line_{number} = {number}" for number in range(600))

    messages = to_messages(to_reply(f"Look:\n\n```python\n{code}\n```\n\nDone [1]."))

    assert len(messages) > 2
    for message in messages:
        assert text_of(message).count("```") % 2 == 0


async def test_table_becomes_aligned_code() -> None:
    text = text_of(to_messages(to_reply("| a | long name |\n|---|---|\n| 1 | 2 |\n\nSee [1]."))[0])

    assert "```" in text
    assert "long name" in text


@pytest.mark.parametrize("sources", [0, 1, 5, 6, 20])
async def test_sources_are_buttons_while_few_and_a_list_when_many(sources: int) -> None:
    message = to_messages(to_reply("Text [1].", sources=sources))[-1]

    kinds = [each["type"] for each in walk(message["components"])]
    buttons = [each for each in walk(message["components"]) if (each.get("label") or "").startswith("Source")]
    assert len(buttons) == (sources if sources <= 5 else 0)
    assert kinds.count(3) == (1 if sources > 5 else 0)


async def test_long_sources_list_that_does_not_fit_gets_a_message_of_its_own() -> None:
    messages = to_messages(to_reply("word " * 700 + "[1]", sources=20))

    assert len(messages) == 2
    assert text_of(messages[1]).startswith("-# [1]")


@pytest.mark.parametrize(
    "hostile", ["@everyone", "@here", "<@123>", "<@&123>", "<#123>", "[x](https://evil.example)"]
)
async def test_text_of_book_or_model_neither_pings_nor_links(hostile: str) -> None:
    text = text_of(to_messages(to_reply(f"Look {hostile} here [1]."))[0])

    # What is escaped is shown letter by letter; who may be pinged at all is said with each message.
    assert hostile not in text.replace("\\<", "")


async def test_failure_shows_a_way_to_ask_again_and_a_wrong_question_does_not() -> None:
    failed = to_messages(Reply(ReplyKind.NOTICE, "Something broke.", code="unavailable"))[0]
    wrong = to_messages(Reply(ReplyKind.NOTICE, "Too long.", code="invalid"))[0]

    assert "again" in str(failed)
    assert "again" not in str(wrong)


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(queue_place=3), "3 questions are before yours"),
        (Progress(stage=Stage.GENERATING), "Writing the answer"),
        (Progress(text="So far " + "x" * 5000), "So far"),
    ],
    ids=["queue", "stage", "text"],
)
async def test_progress_fits_and_can_be_stopped(progress: Progress, words: str) -> None:
    message = to_message(progress_layout(progress, NONCE))

    assert words in text_of(message)
    assert f"fn:stop:{NONCE}" in str(message)


async def test_passage_and_results_fit_however_long_the_text_is() -> None:
    long = tuple(SearchHit(replace(chunk, text="long " * 2000), 0.5) for chunk in CHUNKS)
    results = SearchResults("node", long, 4, Filters())

    passage = to_message(passage_layout(replace(CHUNKS[1], text="long " * 2000)))
    page = to_message(results_layout(results, page=0, handle="abc"))

    assert text_of(passage).endswith("…")
    assert "long" in text_of(page)


def test_custom_ids_come_back_as_they_were_and_others_are_left_alone() -> None:
    press = from_custom_id(to_custom_id("page", "abc", 3))
    assert press is not None
    assert (press.verb, press.about) == ("page", "abc:3")
    assert from_custom_id("somebody:elses") is None


def test_marks_name_the_part_of_their_own_reply_only() -> None:
    assert [part_of(to_mark(NONCE, part), NONCE) for part in (0, 1, 62)] == [0, 1, 62]
    assert part_of(to_mark(NONCE, 0), "fedcba9876543210") is None
    assert part_of(None, NONCE) is None
    assert to_mark("ffffffffffffffff", 62) < 2**31


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is a node?", "What is a node?"),
        ("\n\n**Bold** `code` <@123>", "Bold code"),
        ("", "Question"),
        ("x" * 100, "x" * 100),
        ("x" * 101, "x" * 99 + "…"),
        ("ask @everyone", "ask ＠everyone"),
    ],
    ids=["plain", "markup", "empty", "exact", "long", "ping"],
)
def test_thread_name_is_short_and_plain(question: str, name: str) -> None:
    assert thread_name(question) == name
