"""Asking on Slack: mentions, threads, direct messages, and what is not for us."""

import asyncio
from typing import Any

import pytest

from bot import wording
from core.model.limits import MAX_QUESTION_CHARS
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, texts
from tests.bot.group import PATIENT


async def test_mention_is_answered_in_its_thread(stage: Stage) -> None:
    asked, reply = await stage.answer("What is a node?")

    assert reply["thread_ts"] == asked["ts"]
    assert "You asked: What is a node?" in texts(reply["blocks"])


@pytest.mark.parametrize("is_mention_last", [False, True], ids=["mention first", "message first"])
async def test_both_events_of_a_mention_make_one_answer(stage: Stage, is_mention_last: bool) -> None:
    asked = stage.ask(is_mention_last=is_mention_last)
    await stage.settled()

    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1
    assert len(stage.parts.agent.asked) == 1


async def test_follow_up_in_our_thread_needs_no_mention(stage: Stage) -> None:
    asked, _ = await stage.answer()

    stage.slack.people.says(stage.bob, stage.general, "why?", thread=asked["ts"])
    reply = await stage.slack.reply(stage.general, asked["ts"], number=2)

    assert "You asked: why?" in texts(reply["blocks"])
    assert stage.parts.agent.asked[1].key == stage.parts.agent.asked[0].key


async def test_follow_ups_in_a_burst_are_one_question(staged: MakeStage) -> None:
    stage = await staged(rules=PATIENT)
    async with stage.bot():
        asked, _ = await stage.answer()

        stage.slack.people.says(stage.ann, stage.general, "and a topic?", thread=asked["ts"])
        stage.slack.people.says(stage.ann, stage.general, "in short", thread=asked["ts"])
        await stage.settled()

    assert [each.text for each in stage.parts.agent.asked[1:]] == ["and a topic?\nin short"]


async def test_direct_message_is_answered_without_a_mention(stage: Stage) -> None:
    said = stage.slack.people.says(stage.ann, stage.direct, "What is a topic?")
    reply = await stage.slack.reply(stage.direct, said["ts"])

    assert "You asked: What is a topic?" in texts(reply["blocks"])
    assert stage.slack.world.titles[said["ts"]] == "What is a topic?"
    assert stage.slack.world.statuses


async def test_in_a_busy_workspace_every_question_shows_a_sign_before_any_is_answered(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    world, people = stage.slack.world, stage.slack.people
    rooms = [world.add_channel(f"room{number}", team=stage.slack.team.id) for number in range(27)]
    async with stage.bot():
        asked = [people.says(stage.ann, room, f"{stage.mention} question {n}") for n in range(3) for room in rooms]
        shown = await stage.slack.until(
            lambda: len({each["thread_ts"] for each in world.statuses}) == len(asked), seconds=30
        )

    assert shown
    assert stage.slack.rates.refused == 0
    assert not any(world.answers(room) for room in rooms)


async def test_in_a_group_of_direct_messages_a_mention_is_answered_and_talk_is_left_alone(stage: Stage) -> None:
    group = stage.slack.world.add_channel("ann-bob", team=stage.slack.team.id, kind="mpim")
    stage.slack.people.says(stage.bob, group, "Shall we read chapter four?")
    asked = stage.slack.people.says(stage.ann, group, f"{stage.mention} what is in chapter four?")
    reply = await stage.slack.reply(group, asked["ts"])
    await stage.settled()

    assert "what is in chapter four?" in texts(reply["blocks"])
    assert len(stage.slack.world.answers(group)) == 1


NOT_FOR_US: dict[str, dict[str, Any]] = {
    "no mention": {},
    "a bot": {"bot_id": "B1"},
    "a join": {"subtype": "channel_join"},
    "a topic": {"subtype": "channel_topic"},
    "Slackbot": {"user": "USLACKBOT"},
}


@pytest.mark.parametrize("extra", NOT_FOR_US.values(), ids=NOT_FOR_US)
async def test_what_is_not_said_to_us_is_left_alone(stage: Stage, extra: dict[str, Any]) -> None:
    extra, mention = dict(extra), stage.mention if extra else ""
    user = extra.pop("user", stage.ann)
    stage.slack.people.says(user, stage.general, f"{mention} hello", **extra)
    await stage.settled()

    assert stage.parts.agent.asked == []
    assert stage.slack.world.answers(stage.general) == []


async def test_members_who_turn_to_each_other_are_left_alone(stage: Stage) -> None:
    asked, _ = await stage.answer()

    stage.slack.people.says(stage.ann, stage.general, f"<@{stage.bob}> do you agree?", thread=asked["ts"])
    await stage.settled()

    assert len(stage.parts.agent.asked) == 1


async def test_a_mention_without_words_is_greeted(stage: Stage) -> None:
    asked = stage.ask("")
    reply = await stage.slack.reply(stage.general, asked["ts"])

    assert "Ask me something about the book" in texts(reply["blocks"])
    assert stage.parts.agent.asked == []


async def test_a_question_that_is_too_long_is_told_so(stage: Stage) -> None:
    asked = stage.ask("x" * (MAX_QUESTION_CHARS + 1))
    reply = await stage.slack.reply(stage.general, asked["ts"])

    assert f"{MAX_QUESTION_CHARS + 1} characters" in texts(reply["blocks"])


async def test_names_links_and_escapes_are_read_as_words(stage: Stage) -> None:
    await stage.answer("is <https://a.example|this> &lt;T&gt; in <#C9|robots>?")

    assert stage.parts.agent.asked[0].text == "is this <T> in #robots?"


async def test_an_event_delivered_again_is_no_second_question(stage: Stage) -> None:
    asked, _ = await stage.answer()
    event = {**asked, "type": "app_mention"}

    for _ in range(3):
        stage.slack.people.event(event, team=stage.slack.team.id)
    await stage.settled()

    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


async def test_an_event_nobody_listens_to_is_acknowledged(stage: Stage) -> None:
    for kind in ("reaction_added", "team_join", "assistant_thread_context_changed", "member_joined_channel"):
        stage.slack.people.event({"type": kind, "user": stage.ann}, team=stage.slack.team.id)

    assert all(await asyncio.gather(*stage.slack.people.deliveries))


async def test_a_question_is_stored_before_slack_is_answered(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = stage.ask()
        await asyncio.gather(*stage.slack.people.deliveries)
        event = f"slack:{stage.slack.team.id}:{stage.general}:{asked['ts']}"

        assert await stage.parts.desk.answered.turn(event, group=f"slack:{stage.slack.team.id}") is not None
        stage.parts.agent.release()
        await stage.settled()


async def test_a_question_changed_while_it_waits_is_asked_in_its_new_words(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = stage.ask("What is a nod?")
        await stage.parts.agent.started.get()

        stage.slack.people.edits(stage.general, asked, f"{stage.mention} What is a node?")
        await stage.parts.agent.started.get()
        stage.parts.agent.release(2)
        await stage.settled()

    replies = stage.slack.world.replies(stage.general, asked["ts"])
    assert ["You asked: What is a node?" in texts(reply["blocks"]) for reply in replies] == [True]


async def test_an_answered_question_may_be_corrected_in_peace(stage: Stage) -> None:
    asked, _ = await stage.answer("What is a nod?")

    stage.slack.people.edits(stage.general, asked, f"{stage.mention} What is a node?")
    await stage.settled()

    assert len(stage.parts.agent.asked) == 1


async def test_a_mention_added_later_is_a_question(stage: Stage) -> None:
    said = stage.slack.people.says(stage.ann, stage.general, "What is a node?")
    await stage.settled()

    stage.slack.people.edits(stage.general, said, f"{stage.mention} What is a node?")

    assert "What is a node?" in texts((await stage.slack.reply(stage.general, said["ts"]))["blocks"])


async def test_a_deleted_question_is_not_answered(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = stage.ask()
        await stage.parts.agent.started.get()

        stage.slack.people.deletes(stage.general, asked)
        await stage.settled()

    assert stage.slack.world.answers(stage.general) == []


async def test_stop_breaks_an_answer_off(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = stage.ask()
        await stage.parts.agent.started.get()

        stage.slack.people.says(stage.ann, stage.general, "stop", thread=asked["ts"])
        reply = await stage.slack.reply(stage.general, asked["ts"])
        await stage.settled()

    assert wording.STOPPED in texts(reply["blocks"])
    assert len(stage.slack.world.replies(stage.general, asked["ts"])) == 1


async def test_stop_with_a_mention_is_heard_once(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = stage.ask()
        await stage.parts.agent.started.get()

        stage.ask("stop", thread=asked["ts"])
        await stage.settled()

    replies = stage.slack.world.replies(stage.general, asked["ts"])
    assert [wording.STOPPED in texts(each["blocks"]) for each in replies] == [True]


async def test_a_muted_thread_is_answered_only_when_mentioned(stage: Stage) -> None:
    asked, _ = await stage.answer()
    stage.slack.people.says(stage.ann, stage.general, f"{stage.mention} mute", thread=asked["ts"])
    await stage.slack.reply(stage.general, asked["ts"], number=2)

    stage.slack.people.says(stage.ann, stage.general, "why?", thread=asked["ts"])
    await stage.settled()
    assert len(stage.parts.agent.asked) == 1

    stage.slack.people.says(stage.ann, stage.general, f"{stage.mention} why?", thread=asked["ts"])
    await stage.slack.reply(stage.general, asked["ts"], number=3)
    assert len(stage.parts.agent.asked) == 2


async def test_thanks_get_a_word_back_and_a_nod_gets_none(stage: Stage) -> None:
    asked, _ = await stage.answer()

    stage.slack.people.says(stage.ann, stage.general, ":thumbsup:", thread=asked["ts"])
    stage.slack.people.says(stage.ann, stage.general, "thanks!", thread=asked["ts"])
    reply = await stage.slack.reply(stage.general, asked["ts"], number=2)

    assert wording.WELCOME in texts(reply["blocks"])
    assert len(stage.parts.agent.asked) == 1


async def test_forget_in_a_thread_forgets_it(stage: Stage) -> None:
    asked, _ = await stage.answer("a secret question")
    await stage.settled()

    stage.slack.people.says(stage.ann, stage.general, "forget this", thread=asked["ts"])
    reply = await stage.slack.reply(stage.general, asked["ts"], number=2)

    assert "Forgotten" in texts(reply["blocks"])
    rows = await stage.database.fetch_all("SELECT question FROM turns")
    assert not any("secret" in row["question"] for row in rows)
