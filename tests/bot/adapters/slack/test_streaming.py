"""An answer while it is written: streamed, updated, recovered."""

import pytest

from bot import wording
from bot.adapters.slack.streaming import settled_part
from bot.markup import to_slack_markdown
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, texts
from tests.bot.group import cited
from tests.fakes.slack.world import Json, Team

FIRST = "A node computes. It talks over topics. And "
WHOLE = "A node computes [1]. It talks over topics [2]. And it may serve [3]."


async def streaming_reply(stage: Stage, asked: Json) -> Json:
    """The reply as soon as something of it is there."""
    return await stage.slack.until(lambda: next(iter(stage.slack.world.replies(stage.general, asked["ts"])), None))


async def test_an_answer_streams_in_and_ends_with_its_sources(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write(FIRST)
        begun = await streaming_reply(stage, asked)
        assert begun["text"] == "A node computes. It talks over topics."
        assert stage.slack.world.streams[begun["ts"]].state == "open"

        stage.writer.write(cited(WHOLE, 1, 2, 3))
        reply = await stage.slack.reply(stage.general, asked["ts"])
        await stage.settled()

    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1
    assert "[[1]](https://example.org/topics#part-0)" in texts(reply["blocks"])
    kinds = [block["type"] for block in reply["blocks"]]
    assert kinds == ["markdown", "section", "actions", "context", "context_actions"]


async def test_more_text_is_appended(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write("One. ")
        begun = await streaming_reply(stage, asked)

        stage.writer.write("One. Two. Thr")
        await stage.slack.until(lambda: "Two." in begun["text"])
        stage.writer.write(cited("One. Two. Three [1]."))
        await stage.slack.reply(stage.general, asked["ts"])


async def test_while_nothing_is_written_a_status_shows(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    async with stage.bot():
        asked = stage.ask()
        status = await stage.slack.until(lambda: next(iter(stage.slack.world.statuses), None))
        stage.writer.write(cited(WHOLE))
        await stage.slack.reply(stage.general, asked["ts"])

    assert status["status"] in wording.STAGES.values()
    assert status["thread_ts"] == asked["ts"]


async def test_a_stream_that_slack_ended_is_finished_by_an_update(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write(FIRST)
        begun = await streaming_reply(stage, asked)
        stage.slack.world.streams[begun["ts"]].state = "expired"

        stage.writer.write(cited(WHOLE))
        reply = await stage.slack.reply(stage.general, asked["ts"])
        await stage.settled()

    assert reply["ts"] == begun["ts"]
    assert "And it may serve" in texts(reply["blocks"])
    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


async def test_slacks_own_stop_button_stops_the_answer(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write("One. ")
        begun = await streaming_reply(stage, asked)
        stage.slack.world.streams[begun["ts"]].state = "stopped by user"

        stage.writer.write("One. Two. ")
        reply = await stage.slack.reply(stage.general, asked["ts"])
        await stage.settled()

    assert wording.STOPPED in texts(reply["blocks"])


async def test_without_streams_the_answer_still_comes(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    stage.slack.fail_next("chat.startStream", "unknown_method")
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write(FIRST)
        await stage.slack.until(lambda: stage.slack.count("chat.startStream"))
        stage.writer.write(FIRST + "it ")
        draft = await streaming_reply(stage, asked)
        assert "A node computes." in texts(draft["blocks"])

        stage.writer.write(cited(WHOLE))
        await stage.settled()

    replies = stage.slack.world.replies(stage.general, asked["ts"])
    assert ["And it may serve" in texts(reply["blocks"]) for reply in replies] == [True]
    assert stage.slack.count("conversations.replies") == 0


async def test_a_stream_begun_by_a_call_that_broke_off_is_found_again(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    api = stage.slack.api
    real = api.methods["chat.startStream"]

    def begin_and_fail(team: Team, given: Json) -> Json:
        real(team, given)
        return {"error": "internal_error"}

    api.methods["chat.startStream"] = begin_and_fail
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write(FIRST)
        await streaming_reply(stage, asked)
        stage.writer.write(cited(WHOLE))
        await stage.slack.reply(stage.general, asked["ts"])
        await stage.settled()

    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("One. Two. Thr", "One. Two."),
        ("One [1]. Tw", "One [1]."),
        ("One. [1] Tw", "One. [1]"),
        ("First.\n\nSecond begins", "First."),
        ("First.\n\n- item. one\n- it", "First."),
        ("First.\n\n```python\nprint(1).", "First."),
        ("First.\n\nSome **bold. and", "First."),
        ("Nothing yet", ""),
        ("", ""),
    ],
)
def test_only_what_will_not_change_is_streamed(text: str, settled: str) -> None:
    assert settled_part(text) == settled


def test_what_was_streamed_is_always_the_beginning_of_what_follows() -> None:
    whole = "A **node** computes. It *talks* [1].\n\n- one\n- two\n\n```py\nx = 1\n```\n\nDone [2]. Really. Yes."
    shown = ""
    for end in range(len(whole)):
        settled = to_slack_markdown(settled_part(whole[:end]))
        assert not settled or settled.startswith(shown) or shown.startswith(settled)
        shown = max(shown, settled, key=len)
    assert shown
