"""Buttons below an answer: verdicts, asking again, reading sources. All survive a restart."""

from dataclasses import replace

from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.bot.adapters.discord.test_commands import buttons, is_private
from tests.bot.group import cited
from tests.fakes.discord.checks import text_of, walk
from tests.fakes.discord.wire import Json


async def answered(stage: Stage, words: str = "You asked") -> Json:
    asked = await stage.ask()
    return await stage.discord.until_said(asked["id"], words)


async def verdicts(stage: Stage) -> list[tuple[str, str]]:
    rows = await stage.database.fetch_all("SELECT member_id, verdict FROM feedback ORDER BY member_id")
    return [(row["member_id"], row["verdict"]) for row in rows]


async def test_verdict_is_stored_per_member_and_the_last_one_counts(stage: Stage) -> None:
    answer = await answered(stage)
    press = stage.discord.people.press

    up = await press(stage.ann, answer, buttons(answer)["👍"])
    thanks = await stage.discord.until_answered(up, "Thank you")
    down = await press(stage.ann, answer, buttons(answer)["👎"])
    await stage.discord.until(lambda: down.modal)

    assert is_private(thanks)
    assert await verdicts(stage) == [(stage.ann["id"], "down")]


async def test_buttons_of_an_answer_work_after_a_restart(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        answer = await answered(stage)

    restarted = await staged()
    async with restarted.bot():
        up = await stage.discord.people.press(stage.bob, answer, buttons(answer)["👍"])
        await stage.discord.until_answered(up, "Thank you")

    assert await verdicts(stage) == [(stage.bob["id"], "up")]


async def test_ask_again_asks_the_same_question_anew(staged: MakeStage) -> None:
    stage = await staged("First try [1].", "Second try [1].")
    async with stage.bot():
        answer = await answered(stage, "First try")
        again = await stage.discord.people.press(stage.bob, answer, buttons(answer)["Ask again"])
        await stage.discord.until_answered(again, "Second try")

    first, second = stage.agent.asked
    assert replace(first, event_id=second.event_id) == second


async def test_source_is_shown_to_the_member_alone_and_its_pages_turn(staged: MakeStage) -> None:
    stage = await staged(cited("Topics carry messages [1][2].", 1, 2))
    async with stage.bot():
        answer = await answered(stage, "Topics carry messages")
        reading = await stage.discord.people.press(stage.ann, answer, buttons(answer)["Source 2"])
        passage = await stage.discord.until_answered(reading, "A topic is a named channel")
        turning = await stage.discord.people.press(stage.ann, passage, buttons(passage)["Next"])
        following = await stage.discord.until_answered(turning, "A service answers")

    assert is_private(passage)
    assert following["id"] == passage["id"]
    assert set(buttons(following)) == {"Previous", "Next", "Share"}


async def test_many_sources_become_a_list(staged: MakeStage) -> None:
    marks = "".join(f"[{number}]" for number in range(1, 5))
    chunks = cited(f"Everything {marks}.", 1, 2, 3, 4)
    stage = await staged(chunks)
    async with stage.bot():
        answer = await answered(stage, "Everything")

    assert [label for label in buttons(answer) if label.startswith("Source")] == [
        f"Source {n}" for n in range(1, 5)
    ]


async def test_show_source_in_plain_words(staged: MakeStage) -> None:
    stage = await staged(cited("Topics carry messages [1][2].", 1, 2))
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "Topics carry")
        await stage.turns.wait_idle()
        thread = stage.discord.world.channels[asked["id"]]
        await stage.discord.people.say(stage.ann, thread, "show source 2")
        await stage.discord.until_said(asked["id"], "A topic is a named channel")
        await stage.discord.people.say(stage.ann, thread, "show source 9")
        await stage.discord.until_said(asked["id"], "has no source 9")


async def test_answer_that_was_forgotten_takes_no_verdict(stage: Stage) -> None:
    answer = await answered(stage)
    await stage.turns.wait_idle()
    thread = stage.discord.world.channels[answer["channel_id"]]
    gone = await stage.discord.people.slash(stage.ann, thread, "forget")
    await stage.discord.until_answered(gone, "Forgotten")

    up = await stage.discord.people.press(stage.ann, answer, buttons(answer)["👍"])

    await stage.discord.until_answered(up, "no longer have that answer")


async def test_answer_is_laid_out_with_text_sources_and_buttons(staged: MakeStage) -> None:
    stage = await staged(cited("Topics carry messages [2].", 1, 2))
    async with stage.bot():
        answer = await answered(stage, "Topics carry")

    kinds = [each["type"] for each in walk(answer["components"])]
    assert kinds[:4] == [17, 10, 14, 10]
    lines = text_of(answer).splitlines()
    assert lines[0] == "Topics carry messages [[2]](<https://example.org/topics#part-1>)."
    assert lines[1].startswith("-# [1] [Topics and messages › Part 0](<https://example.org/topics#part-0>)")
