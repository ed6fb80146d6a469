"""Asking about a message: its thread, a quote, a shared message, the message menu."""

from bot import wording
from bot.adapters.slack.app import ASK_ABOUT
from core.model import Selection
from tests.bot.adapters.slack.stage import Stage, texts

CLAIM = "A topic is the same as a service."


async def test_a_mention_under_a_message_is_about_that_message(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)

    stage.ask("is that true?", thread=claim["ts"])
    await stage.slack.reply(stage.general, claim["ts"])

    asked = stage.parts.agent.asked[0]
    assert (asked.text, asked.selected_text, asked.selection) == ("is that true?", CLAIM, Selection.MESSAGE)


async def test_only_the_first_mention_in_a_thread_reads_what_it_hangs_on(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)
    stage.ask("is that true?", thread=claim["ts"])
    await stage.slack.reply(stage.general, claim["ts"])

    stage.ask("and why?", thread=claim["ts"])
    await stage.slack.reply(stage.general, claim["ts"], number=2)

    assert stage.parts.agent.asked[1].selected_text is None
    assert stage.slack.count("conversations.replies") == 1


async def test_pointing_without_words_asks_what_the_book_says(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)

    stage.ask("", thread=claim["ts"])
    await stage.slack.reply(stage.general, claim["ts"])

    assert stage.parts.agent.asked[0].text == wording.ABOUT_THIS


async def test_a_quoted_block_is_the_selected_text(stage: Stage) -> None:
    await stage.answer("is that right?\n&gt; nodes &amp; topics\n&gt; are one")

    asked = stage.parts.agent.asked[0]
    assert (asked.text, asked.selected_text) == ("is that right?", "nodes & topics\nare one")


async def test_a_shared_message_is_the_selected_text(stage: Stage) -> None:
    shared = [{"is_share": True, "text": CLAIM, "fallback": "[…]"}]

    asked = stage.ask("is that so?", attachments=shared)
    await stage.slack.reply(stage.general, asked["ts"])

    assert stage.parts.agent.asked[0].selected_text == CLAIM


async def test_an_answer_of_ours_is_quoted_as_we_wrote_it(stage: Stage) -> None:
    ts = (await stage.answer("one"))[1]["ts"]
    await stage.settled()
    world = stage.slack.world
    message = world.messages[stage.general][ts]

    await stage.slack.people.uses_shortcut(stage.bob, stage.general, message, ASK_ABOUT)
    view = await stage.slack.until(lambda: next(iter(world.views.values()), None))
    filled = {"question": {"question": {"type": "plain_text_input", "value": "why?"}}}
    await stage.slack.people.submits(stage.bob, view, filled, team=stage.slack.team.id)
    await stage.settled()

    asked = stage.parts.agent.asked[1]
    assert (asked.selected_text, asked.selection) == ("You asked: one [1]", Selection.OWN_ANSWER)


async def test_a_parent_that_is_gone_is_mentioned_in_the_answer(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)
    stage.slack.fail_next("conversations.replies", "thread_not_found")

    stage.ask("is that true?", thread=claim["ts"])
    reply = await stage.slack.reply(stage.general, claim["ts"])

    assert wording.QUOTE_GONE in texts(reply["blocks"])


async def test_when_slack_cannot_be_read_it_delivers_again(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)
    await stage.settled()
    stage.slack.sockets.ack_seconds = 0.2
    for _ in range(2):
        stage.slack.fail_next("conversations.replies", "internal_error", status=500)

    stage.ask("is that true?", thread=claim["ts"])
    await stage.slack.reply(stage.general, claim["ts"])

    assert stage.parts.agent.asked[0].selected_text == CLAIM


async def test_ask_about_this_answers_in_the_messages_thread(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM + " & more <3")
    people, world = stage.slack.people, stage.slack.world

    ack = await people.uses_shortcut(stage.ann, stage.general, claim, ASK_ABOUT)
    assert ack["acked"]
    view = await stage.slack.until(lambda: next(iter(world.views.values()), None))
    assert CLAIM in texts(view["blocks"])
    filled = {"question": {"question": {"type": "plain_text_input", "value": "is that so?"}}}
    await people.submits(stage.ann, view, filled, team=stage.slack.team.id)
    reply = await stage.slack.reply(stage.general, claim["ts"])

    assert "You asked: is that so?" in texts(reply["blocks"])
    assert stage.parts.agent.asked[0].selected_text == CLAIM + " & more <3"
    assert world.views == {}


async def test_a_form_sent_in_twice_is_one_question(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)
    people, world = stage.slack.people, stage.slack.world
    await people.uses_shortcut(stage.ann, stage.general, claim, ASK_ABOUT)
    view = await stage.slack.until(lambda: next(iter(world.views.values()), None))
    filled = {"question": {"question": {"type": "plain_text_input", "value": "is that so?"}}}

    for _ in range(2):
        await people.submits(stage.ann, view, filled, team=stage.slack.team.id)
    await stage.settled()

    assert len(stage.parts.agent.asked) == 1


async def test_an_empty_form_says_what_is_missing(stage: Stage) -> None:
    claim = stage.slack.people.says(stage.bob, stage.general, CLAIM)
    people, world = stage.slack.people, stage.slack.world
    await people.uses_shortcut(stage.ann, stage.general, claim, ASK_ABOUT)
    view = await stage.slack.until(lambda: next(iter(world.views.values()), None))

    empty = {"question": {"question": {"type": "plain_text_input", "value": None}}}
    ack = await people.submits(stage.ann, view, empty, team=stage.slack.team.id)

    assert ack["payload"]["response_action"] == "errors"
    assert "no question" in ack["payload"]["errors"]["question"]


async def test_a_long_message_survives_the_form_whole(stage: Stage) -> None:
    words = " ".join(f"word{number}" for number in range(600))[:4900]
    claim = stage.slack.people.says(stage.bob, stage.general, words)
    people, world = stage.slack.people, stage.slack.world
    await people.uses_shortcut(stage.ann, stage.general, claim, ASK_ABOUT)
    view = await stage.slack.until(lambda: next(iter(world.views.values()), None))
    filled = {"question": {"question": {"type": "plain_text_input", "value": "what is this?"}}}

    await people.submits(stage.ann, view, filled, team=stage.slack.team.id)
    await stage.settled()

    assert stage.parts.agent.asked[0].selected_text == words.strip()
