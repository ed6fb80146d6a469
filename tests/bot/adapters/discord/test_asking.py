"""Asking on Discord: mentions, threads, follow-ups, direct messages, forums, and keeping quiet."""

import pytest

from bot import wording
from core.model import Selection
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.bot.group import PATIENT
from tests.fakes.discord.checks import text_of
from tests.fakes.discord.wire import Json
from tests.fakes.discord.world import BOT_ID, FORUM


async def answered_thread(stage: Stage, question: str = "What is a node?") -> Json:
    """A thread of ours with one answer in it."""
    asked = await stage.ask(question)
    await stage.discord.until_said(asked["id"], "You asked")
    await stage.turns.wait_idle()
    return stage.discord.world.channels[asked["id"]]


async def is_silent_after(stage: Stage, thread: Json) -> bool:
    """Whether nothing more was said when a later question has been answered."""
    before = len(stage.discord.said(thread["id"]))
    await answered_thread(stage, "Something to wait for")
    return len(stage.discord.said(thread["id"])) == before


async def test_mention_is_answered_in_a_thread_named_after_the_question(stage: Stage) -> None:
    asked = await stage.ask("What is a **node**?")

    answer = await stage.discord.until_said(asked["id"], "You asked: What is a **node**?")
    assert stage.discord.world.channels[asked["id"]]["name"] == "What is a node?"
    assert "[The Kalman filter › Prediction and update](<https://books.example/kalman#prediction>)" in text_of(
        answer
    )
    assert set(stage.discord.messages.typed) <= {asked["id"]}


async def test_long_question_gives_a_thread_name_that_discord_takes_and_that_pings_nobody(stage: Stage) -> None:
    asked = await stage.ask(f"@everyone <@{stage.bob['id']}> " + "why " * 100)
    await stage.discord.until_said(asked["id"], "You asked")

    name = stage.discord.world.channels[asked["id"]]["name"]
    assert len(name) <= 100
    assert "@" not in name
    assert name.endswith("…")


async def test_answer_pings_nobody_whatever_the_question_says(stage: Stage) -> None:
    asked = await stage.ask(f"@everyone <@{stage.bob['id']}> hello?")

    answer = await stage.discord.until_said(asked["id"], "You asked")
    assert answer["mention_everyone"] is False
    assert answer["mentions"] == []
    assert answer["_allowed_mentions"]["parse"] == []


async def test_thread_goes_on_without_a_mention_and_in_the_same_conversation(stage: Stage) -> None:
    thread = await answered_thread(stage)

    await stage.discord.people.say(stage.bob, thread, "and a topic?")
    await stage.discord.until_said(thread["id"], "You asked: and a topic?")

    first, second = stage.agent.asked
    assert first.key == second.key


async def test_mention_inside_a_members_own_thread_is_answered_there(stage: Stage) -> None:
    starter = await stage.discord.people.say(stage.ann, stage.general, "Let us talk")
    thread = stage.discord.world.add_thread(
        stage.general, "Talk", thread_id=starter["id"], owner_id=stage.ann["id"]
    )
    await stage.discord.gateway.tell("THREAD_CREATE", {**thread, "newly_created": True})

    await stage.discord.people.ask(stage.ann, thread, "What is a node?")

    answer = await stage.discord.until_said(thread["id"], "You asked: What is a node?")
    assert answer["message_reference"]["channel_id"] == thread["id"]


async def test_forum_post_that_mentions_the_bot_is_answered_and_goes_on(stage: Stage) -> None:
    forum = stage.discord.world.add_channel(stage.guild, "questions", kind=FORUM)
    await stage.discord.gateway.tell("CHANNEL_CREATE", forum)

    thread, _ = await stage.discord.people.post_in_forum(
        stage.ann, forum, "Nodes", f"{stage.discord.people.mention()} what is a node?"
    )
    await stage.discord.until_said(thread["id"], "You asked: what is a node?")
    await stage.discord.people.say(stage.ann, thread, "and a topic?")

    await stage.discord.until_said(thread["id"], "You asked: and a topic?")


async def test_direct_message_is_a_private_conversation_with_the_books_of_the_shared_server(stage: Stage) -> None:
    direct = stage.discord.world.dm_with(stage.ann)

    await stage.discord.people.say(stage.ann, direct, "What is a node?")

    await stage.discord.until_said(direct["id"], "You asked: What is a node?")
    assert stage.agent.asked[0].key.group == f"discord:{stage.guild['id']}"
    assert stage.agent.asked[0].key.channel == "dm"


async def test_stranger_in_direct_messages_has_a_group_of_their_own(stage: Stage) -> None:
    stranger = stage.discord.world.add_user("eve")
    direct = stage.discord.world.dm_with(stranger)

    await stage.discord.people.say(stranger, direct, "What is a node?")

    await stage.discord.until_said(direct["id"], "You asked")
    assert stage.agent.asked[0].key.group == f"discord:dm:{stranger['id']}"


async def test_messages_of_a_burst_are_one_question(staged: MakeStage) -> None:
    stage = await staged(rules=PATIENT)
    async with stage.bot():
        thread = await answered_thread(stage)

        await stage.discord.people.say(stage.ann, thread, "what is a topic")
        await stage.discord.people.say(stage.ann, thread, "and a service?")

        await stage.discord.until_said(thread["id"], "You asked: what is a topic")
    assert stage.agent.asked[-1].text == "what is a topic\nand a service?"


@pytest.mark.parametrize("how", ["mention", "reply"])
async def test_bot_keeps_quiet_when_members_address_each_other(stage: Stage, how: str) -> None:
    thread = await answered_thread(stage)

    if how == "mention":
        await stage.discord.people.say(stage.ann, thread, f"<@{stage.bob['id']}> did you get that?")
    else:
        said = await stage.discord.people.say(stage.bob, thread, f"<@{stage.ann['id']}> lunch?")
        await stage.discord.people.say(stage.ann, thread, "yes please", reply_to=said)

    assert await is_silent_after(stage, thread)


async def test_reply_to_our_answer_is_for_us_even_without_a_mention(stage: Stage) -> None:
    thread = await answered_thread(stage)
    answer = stage.discord.said(thread["id"])[0]

    await stage.discord.people.say(stage.ann, thread, "why?", reply_to=answer)

    await stage.discord.until_said(thread["id"], "You asked: why?")
    assert stage.agent.asked[-1].selection is Selection.OWN_ANSWER
    assert stage.agent.asked[-1].selected_text == "You asked: What is a node? [1]"


async def test_muted_thread_is_answered_only_when_mentioned_until_unmuted(stage: Stage) -> None:
    thread = await answered_thread(stage)
    people = stage.discord.people

    await people.say(stage.ann, thread, "mute")
    await stage.discord.until_said(thread["id"], "keep quiet")
    await people.say(stage.ann, thread, "are you there?")
    await people.ask(stage.ann, thread, "now?")
    await stage.discord.until_said(thread["id"], "You asked: now?")
    await people.ask(stage.ann, thread, "unmute")
    await stage.discord.until_said(thread["id"], "listening")
    await people.say(stage.ann, thread, "and now?")
    await stage.discord.until_said(thread["id"], "You asked: and now?")

    assert "are you there?" not in [question.text for question in stage.agent.asked]


async def test_thanks_get_a_word_back_and_a_nod_gets_none(stage: Stage) -> None:
    thread = await answered_thread(stage)

    await stage.discord.people.say(stage.ann, thread, "ok 👍")
    await stage.discord.people.say(stage.ann, thread, "👍")
    await stage.discord.people.say(stage.ann, thread, "thanks!")
    await stage.discord.until_said(thread["id"], wording.WELCOME)

    assert len(stage.agent.asked) == 1
    assert len(stage.discord.said(thread["id"])) == 2


async def test_talk_in_a_channel_and_other_bots_are_left_alone(stage: Stage) -> None:
    robot = stage.discord.world.add_user("robot", is_bot=True)
    await stage.discord.people.say(stage.ann, stage.general, "good morning")
    await stage.discord.people.ask(robot, stage.general, "beep?")

    await answered_thread(stage)

    assert len(stage.agent.asked) == 1
    assert stage.discord.said(stage.general["id"]) == []


async def test_role_that_discord_made_for_the_bot_counts_as_a_mention(stage: Stage) -> None:
    role = stage.discord.world.add_role(stage.guild, "Footnote")
    role["tags"] = {"bot_id": BOT_ID}
    await stage.discord.gateway.tell("GUILD_ROLE_CREATE", {"guild_id": stage.guild["id"], "role": role})

    asked = await stage.discord.people.say(
        stage.ann, stage.general, f"<@&{role['id']}> what is a node?", mention_roles=[role["id"]]
    )

    await stage.discord.until_said(asked["id"], "You asked: what is a node?")


async def test_mention_added_by_an_edit_is_answered_once(stage: Stage) -> None:
    said = await stage.discord.people.say(stage.ann, stage.general, "what is a node?")
    await stage.discord.people.edit(said, f"{stage.discord.people.mention()} what is a node?")
    await stage.discord.until_said(said["id"], "You asked: what is a node?")

    await stage.discord.people.edit(said, f"{stage.discord.people.mention()} what is a node??")

    assert await is_silent_after(stage, stage.discord.world.channels[said["id"]])


async def test_mention_without_a_question_is_greeted_beside_it(stage: Stage) -> None:
    asked = await stage.ask("")

    hello = await stage.discord.until_said(stage.general["id"], "Ask me something about the book")
    assert hello["message_reference"]["message_id"] == asked["id"]
    assert stage.agent.asked == []


async def test_question_that_is_too_long_is_told_with_its_length(stage: Stage) -> None:
    await stage.ask("x" * 2001)

    told = await stage.discord.until_said(stage.general["id"], "2001 characters")
    assert "at most 2000" in text_of(told)


async def test_without_permission_for_threads_the_answer_stands_beside_the_question(stage: Stage) -> None:
    stage.discord.world.deny(stage.general, "create_public_threads")

    asked = await stage.ask()

    answer = await stage.discord.until_said(stage.general["id"], "You asked: What is a node?")
    assert answer["message_reference"]["message_id"] == asked["id"]


async def test_where_we_may_not_write_the_member_is_told_privately_what_to_do(stage: Stage) -> None:
    stage.discord.world.deny(stage.general, "create_public_threads", "send_messages")

    await stage.ask()

    direct = stage.discord.world.dm_with(stage.ann)
    await stage.discord.until_said(direct["id"], "Send Messages in Threads")
    await stage.turns.wait_idle()
    row = await stage.database.fetch_one("SELECT state, reason FROM turns")
    assert row is not None
    assert "50013" in row["reason"]


async def test_question_deleted_while_we_did_not_see_it_is_answered_in_the_channel(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        asked = stage.discord.world.add_message(
            stage.general, stage.ann, f"{stage.discord.people.mention()} What is a node?"
        )
        del stage.discord.world.messages[stage.general["id"]][asked["id"]]
        await stage.discord._tell("MESSAGE_CREATE", asked)

        answer = await stage.discord.until_said(stage.general["id"], "You asked: What is a node?")

    assert "message_reference" not in answer


async def test_question_that_is_deleted_is_not_answered_and_its_placeholder_goes(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "⏳")
        await stage.discord.people.delete(asked)

        await stage.discord.until(lambda: not stage.discord.said(asked["id"]))
        await stage.turns.wait_idle()

    assert stage.discord.said(stage.general["id"]) == []


async def test_question_changed_before_its_answer_is_answered_once_in_its_new_words(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = await stage.ask("What is a nod?")
        await stage.agent.started.get()
        await stage.discord.people.edit(asked, f"{stage.discord.people.mention()} What is a node?")
        await stage.agent.started.get()
        stage.agent.release(2)

        await stage.discord.until_said(asked["id"], "You asked: What is a node?")
        await stage.turns.wait_idle()

    assert len(stage.discord.said(asked["id"])) == 1


async def test_stop_word_breaks_off_the_answer(staged: MakeStage) -> None:
    stage = await staged("First [1].", is_gated=True)
    async with stage.bot():
        stage.agent.release()
        thread = (await stage.ask())["id"]
        await stage.discord.until_said(thread, "First")
        place = stage.discord.world.channels[thread]
        await stage.discord.people.say(stage.ann, place, "tell me more")
        await stage.agent.started.get()
        await stage.agent.started.get()
        await stage.discord.people.say(stage.ann, place, "stop")

        await stage.discord.until_said(thread, wording.STOPPED)
