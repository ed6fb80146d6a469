"""Replying to a message makes it the selected text."""

from bot import wording
from core.model import Selection
from tests.bot.adapters.discord.stage import Stage
from tests.fakes.discord.checks import text_of
from tests.fakes.discord.wire import Json


async def ask_about(stage: Stage, target: Json, question: str = "is that so?") -> Json:
    """Reply to *target* with a question to the bot; the answer."""
    asked = await stage.discord.people.ask(stage.ann, stage.general, question, reply_to=target)
    return await stage.discord.until_said(asked["id"], "You asked")


async def test_message_that_is_replied_to_is_the_selected_text(stage: Stage) -> None:
    claim = await stage.discord.people.say(stage.bob, stage.general, f"A node is a thread, <@{stage.ann['id']}>!")

    await ask_about(stage, claim)

    asked = stage.agent.asked[0]
    assert asked.text == "is that so?"
    assert asked.selected_text == "A node is a thread, @Ann!"
    assert asked.selection is Selection.MESSAGE


async def test_earlier_parts_of_the_chain_come_along_oldest_first(stage: Stage) -> None:
    people = stage.discord.people
    first = await people.say(stage.bob, stage.general, "Topics are queues.")
    second = await people.say(stage.lea, stage.general, "No, they are not.", reply_to=first)
    third = await people.say(stage.bob, stage.general, "Why not?", reply_to=second)

    await ask_about(stage, third)

    assert stage.agent.asked[0].selected_text == "Topics are queues.\n\nNo, they are not.\n\nWhy not?"


async def test_message_that_discord_did_not_send_along_is_fetched(stage: Stage) -> None:
    claim = await stage.discord.people.say(stage.bob, stage.general, "A topic is a channel.")
    reference = stage.discord.world.reference(claim)
    del reference["referenced_message"]
    asked = await stage.discord.people.say(
        stage.ann, stage.general, f"{stage.discord.people.mention()} sure?", **reference
    )

    await stage.discord.until_said(asked["id"], "You asked")

    assert stage.agent.asked[0].selected_text == "A topic is a channel."


async def test_deleted_message_is_named_as_gone_and_the_question_answered(stage: Stage) -> None:
    claim = await stage.discord.people.say(stage.bob, stage.general, "Soon gone.")
    reference = {**stage.discord.world.reference(claim), "referenced_message": None}
    await stage.discord.people.delete(claim)
    asked = await stage.discord.people.say(
        stage.ann, stage.general, f"{stage.discord.people.mention()} sure?", **reference
    )

    answer = await stage.discord.until_said(asked["id"], "You asked: sure?")

    assert wording.QUOTE_GONE in text_of(answer)


async def test_embeds_and_text_attachments_are_read(stage: Stage) -> None:
    stage.discord.people.attachments["77"] = b"Lesson notes about nodes."
    address = f"{stage.discord.people.address}/attachments/77/notes.txt"
    attachment = {"id": "77", "filename": "notes.txt", "size": 25, "url": address, "proxy_url": address}
    attachment["content_type"] = "text/plain"
    shared = await stage.discord.people.say(
        stage.bob,
        stage.general,
        "Look:",
        embeds=[{"type": "rich", "title": "Nodes", "description": "All about nodes", "fields": []}],
        attachments=[attachment],
    )

    await ask_about(stage, shared, "")

    asked = stage.agent.asked[0]
    assert asked.text == wording.ABOUT_THIS
    assert asked.selected_text == "Look:\nNodes\nAll about nodes\n\nLesson notes about nodes."


async def test_attachment_that_is_too_long_is_named(stage: Stage) -> None:
    address = f"{stage.discord.people.address}/attachments/77/notes.txt"
    attachment = {"id": "77", "filename": "notes.txt", "size": 200_000, "url": address, "proxy_url": address}
    shared = await stage.discord.people.say(
        stage.bob, stage.general, "My notes", attachments=[{**attachment, "content_type": "text/plain"}]
    )

    answer = await ask_about(stage, shared)

    assert "notes.txt is too long" in text_of(answer).replace("\\", "")


async def test_our_own_answer_is_selected_by_its_stored_words(stage: Stage) -> None:
    first = await stage.ask("What is a node?")
    answer = await stage.discord.until_said(first["id"], "You asked")
    await stage.turns.wait_idle()
    thread = stage.discord.world.channels[first["id"]]

    await stage.discord.people.ask(stage.bob, thread, "shorter please", reply_to=answer)
    await stage.discord.until_said(first["id"], "You asked: shorter please")

    asked = stage.agent.asked[-1]
    assert asked.selected_text == "You asked: What is a node? [1]"
    assert asked.selection is Selection.OWN_ANSWER


async def test_long_chain_keeps_what_fits_next_to_the_question(stage: Stage) -> None:
    people = stage.discord.people
    first = await people.say(stage.bob, stage.general, "a" * 1999)
    second = await people.say(stage.bob, stage.general, "b" * 1999, reply_to=first)
    third = await people.say(stage.bob, stage.general, "c" * 1999, reply_to=second)

    await ask_about(stage, third)

    selected = stage.agent.asked[0].selected_text or ""
    assert selected.startswith("b")
    assert selected.endswith("c")
    assert len(selected) <= 5000
