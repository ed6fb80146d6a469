"""One reply for each question: through refusals, broken calls and restarts."""

import pytest

from bot.adapters.slack.pace import Pace
from bot.adapters.slack.place import PLATFORM
from bot.adapters.slack.surfaces import SlackSurface
from bot.adapters.slack.target import ThreadTarget
from bot.adapters.slack.workspaces import open_client, open_workspaces
from bot.reply import Reply
from bot.surface import Delivery
from bot.turn_work import TurnRules
from core.errors import ServiceDown
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, find_button, texts
from tests.bot.group import cited
from tests.fakes.slack import LocalSlack
from tests.fakes.slack.world import Json, Team


async def test_being_told_to_slow_down_delays_the_reply_and_no_more(short_stage: Stage) -> None:
    stage = short_stage
    stage.slack.fail_next("chat.postMessage", "ratelimited", status=429, Retry_After="1")

    asked, _ = await stage.answer()
    await stage.settled()

    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


@pytest.mark.parametrize("error", ["internal_error", "fatal_error", "service_unavailable"])
async def test_slacks_own_failures_are_waited_out(short_stage: Stage, error: str) -> None:
    stage = short_stage
    stage.slack.fail_next("chat.postMessage", error)

    asked, reply = await stage.answer()
    await stage.settled()

    assert "Yes" in texts(reply["blocks"])
    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


async def test_a_reply_that_was_posted_but_not_confirmed_is_not_posted_again(short_stage: Stage) -> None:
    stage = short_stage
    methods = stage.slack.api.methods
    real = methods["chat.postMessage"]

    def post_and_fail(team: Team, given: Json) -> Json:
        methods["chat.postMessage"] = real
        real(team, given)
        return {"error": "internal_error"}

    methods["chat.postMessage"] = post_and_fail
    asked = stage.ask()
    await stage.slack.reply(stage.general, asked["ts"])
    await stage.settled()

    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


async def test_a_reply_deleted_meanwhile_is_posted_anew(staged: MakeStage) -> None:
    stage = await staged(writes=True)
    async with stage.bot():
        asked = stage.ask()
        stage.writer.write("One. ")
        replies = stage.slack.world.replies
        begun = await stage.slack.until(lambda: next(iter(replies(stage.general, asked["ts"])), None))
        del stage.slack.world.messages[stage.general][begun["ts"]]

        stage.writer.write(cited("One. Two [1]."))
        reply = await stage.slack.reply(stage.general, asked["ts"])

    assert "Two" in texts(reply["blocks"])


async def test_a_channel_we_were_removed_from_ends_the_turn(short_stage: Stage) -> None:
    stage = short_stage
    stage.slack.world.channels[stage.general]["is_member"] = False

    stage.ask()
    await stage.settled()

    rows = await stage.database.fetch_all("SELECT state, reason FROM turns")
    assert [(row["state"], "not_in_channel" in row["reason"]) for row in rows] == [("failed", True)]


async def test_a_failure_of_the_model_becomes_a_sentence_with_a_reference(staged: MakeStage) -> None:
    stage = await staged(ServiceDown("openai", "boom"))
    async with stage.bot():
        _, reply = await stage.answer()

    assert "The answering model cannot be reached" in texts(reply["blocks"])
    assert "boom" not in texts(reply["blocks"])


async def test_a_long_answer_comes_in_parts_with_the_sources_under_the_last(staged: MakeStage) -> None:
    long = "\n\n".join(f"Paragraph {number} says a good deal about nodes [1]." for number in range(500))
    stage = await staged(cited(long))
    async with stage.bot():
        asked = stage.ask()
        await stage.settled()

    replies = stage.slack.world.replies(stage.general, asked["ts"])
    assert len(replies) > 2
    assert [bool(reply["blocks"][1:]) for reply in replies] == [False] * (len(replies) - 1) + [True]
    shown = "".join(texts(reply["blocks"]) for reply in replies)
    assert all(f"Paragraph {number} says" in shown for number in range(500))


async def test_tables_code_and_hostile_words_pass_slacks_checks(staged: MakeStage) -> None:
    hostile = (
        "<!channel> <@U001> @everyone & <b> [1]\n\n| a | b |\n|---|---|\n| 1 | <!here> |\n\n"
        "```python\nprint('<@U001> ```')\n```\n\n[click](https://evil.example) https://evil.example/x"
    )
    stage = await staged(cited(hostile))
    async with stage.bot():
        _, reply = await stage.answer()

    assert "evil.example)" not in texts(reply["blocks"]).replace("`https://evil.example`)", "")


async def test_a_refusal_points_to_the_nearest_sections(staged: MakeStage) -> None:
    from dataclasses import replace

    from core.model import NearSection
    from tests.bot.group import CHUNKS
    from tests.bot.scripted import to_answer

    refusal = replace(to_answer("Not in the book."), nearest=(NearSection.of(CHUNKS[1]),))
    stage = await staged(refusal)
    async with stage.bot():
        _, reply = await stage.answer()

    assert "<https://example.org/topics#part-1|Topics and messages › Part 1>" in texts(reply["blocks"])
    assert find_button(reply["blocks"], "read_passage")["value"] == CHUNKS[1].id


async def test_parts_that_a_shorter_reply_does_not_need_are_removed(stage: Stage) -> None:
    asked, first = await stage.answer()
    await stage.settled()
    world, team = stage.slack.world, stage.slack.team
    second = {**first, "ts": world.ts()}
    world.messages[stage.general][second["ts"]] = second
    async with open_client(stage.slack.api_url) as client:
        workspace = (await open_workspaces(client, team.token)).of(team.id)
        assert workspace is not None
        target = ThreadTarget(team.id, stage.general, asked["ts"], stage.ann, since=asked["ts"])
        surface = SlackSurface(target, "?", client=workspace.quick, pace=Pace())

        await surface.deliver(
            Reply.notice("Sorry."), Delivery((first["ts"], second["ts"]), save=_forget, nonce="0")
        )

    assert second["ts"] not in world.messages[stage.general]
    assert "Sorry." in texts(world.messages[stage.general][first["ts"]]["blocks"])


async def _forget(message_id: str) -> None:
    """Nothing is stored here."""


async def test_in_a_busy_channel_messages_keep_their_distance(staged: MakeStage) -> None:
    stage = await staged(*["Yes [1]."] * 4, rules=TurnRules(join_seconds=0.05, at_once=8))
    async with stage.bot():
        for number in range(4):
            stage.ask(f"question {number}?")
        await stage.settled()

    assert len(stage.slack.world.answers(stage.general)) == 4
    assert stage.slack.rates.refused == 0


async def test_history_is_read_only_where_recovery_needs_it(stage: Stage, slack: LocalSlack) -> None:
    asked, _ = await stage.answer()
    stage.slack.people.says(stage.bob, stage.general, "why?", thread=asked["ts"])
    await stage.slack.reply(stage.general, asked["ts"], number=2)

    assert slack.count("conversations.replies") == slack.count("conversations.history") == 0
    assert await stage.parts.desk.places.last_listened(PLATFORM) is not None
