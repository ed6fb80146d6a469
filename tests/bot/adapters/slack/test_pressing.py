"""Buttons under answers: feedback, reading on; the App Home and the assistant pane."""

from bot import wording
from bot.adapters.slack.place import thread_key
from bot.member import Member
from core.store.feedback import Feedback
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, find_button, texts
from tests.bot.group import CHUNKS, cited
from tests.fakes.slack.world import Json


async def press(stage: Stage, user: str, message: Json, action: Json, value: str = "") -> None:
    ack = await stage.slack.people.clicks(
        user, stage.general, message, action["action_id"], value or action["value"]
    )
    assert ack["acked"]


async def test_a_thumb_up_is_noted_and_thanked(stage: Stage) -> None:
    _, reply = await stage.answer()
    await stage.settled()
    buttons = find_button(reply["blocks"], "feedback")

    await press(stage, stage.bob, reply, buttons, buttons["positive_button"]["value"])
    said = await stage.slack.until(lambda: stage.slack.world.ephemeral)

    assert wording.THANKS in texts(said[0]["blocks"])
    assert await Feedback(stage.database).votes(1) == (1, 0)


async def test_a_thumb_down_asks_what_was_wrong(stage: Stage) -> None:
    _, reply = await stage.answer()
    await stage.settled()
    buttons = find_button(reply["blocks"], "feedback")

    await press(stage, stage.bob, reply, buttons, buttons["negative_button"]["value"])
    view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
    filled = {"why": {"why": {"type": "plain_text_input", "value": "wrong chapter"}}}
    await stage.slack.people.submits(stage.bob, view, filled, team=stage.slack.team.id)
    await stage.slack.until(lambda: not stage.slack.world.views)

    leader = Member(stage.lea, "lea", thread_key(stage.slack.team.id, stage.general, stage.general))
    report = await stage.parts.desk.report(leader)
    assert (report.down_votes, report.down_voted[0].comments) == (1, ("wrong chapter",))


async def test_feedback_works_after_a_restart(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        _, reply = await before.answer()
        await before.settled()
    after = await staged()
    async with after.bot():
        buttons = find_button(reply["blocks"], "feedback")
        await press(after, after.ann, reply, buttons, buttons["positive_button"]["value"])
        await after.slack.until(lambda: after.slack.world.ephemeral)

    assert await Feedback(after.database).votes(1) == (1, 0)


async def test_feedback_on_an_answer_that_is_gone_says_so(stage: Stage) -> None:
    _, reply = await stage.answer()

    await press(stage, stage.bob, reply, find_button(reply["blocks"], "feedback"), "up:0000000000000000")
    said = await stage.slack.until(lambda: stage.slack.world.ephemeral)

    assert wording.GONE in texts(said[0]["blocks"])


async def test_a_source_opens_and_its_pages_turn(staged: MakeStage) -> None:
    stage = await staged(cited("Topics [1], services [2].", 2, 3))
    async with stage.bot():
        _, reply = await stage.answer()
        await press(stage, stage.bob, reply, find_button(reply["blocks"], "read_passage"))
        view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
        assert CHUNKS[1].text in texts(view["blocks"])
        assert "Passage 2 of 4" in texts(view["blocks"])

        after = find_button(view["blocks"], "turn_page:After")
        people = stage.slack.people
        await people.clicks_in_view(stage.bob, view, after["action_id"], after["value"], team=stage.slack.team.id)
        await stage.slack.until(lambda: CHUNKS[2].text in texts(stage.slack.world.views[view["id"]]["blocks"]))

        before = find_button(view["blocks"], "turn_page:◀")
        assert before["value"] == CHUNKS[1].id


async def test_a_passage_that_is_gone_is_said_to_be_gone(stage: Stage) -> None:
    _, reply = await stage.answer()

    await press(stage, stage.bob, reply, {"action_id": "read_passage:0"}, "00000000-0000-5000-8000-00000000dead")
    said = await stage.slack.until(lambda: stage.slack.world.ephemeral)

    assert wording.PASSAGE_GONE in texts(said[0]["blocks"])


async def test_show_source_is_answered_in_the_thread(staged: MakeStage) -> None:
    stage = await staged(cited("Topics [1], services [2].", 1, 2))
    async with stage.bot():
        asked, _ = await stage.answer()
        await stage.settled()
        stage.slack.people.says(stage.ann, stage.general, "show source 2", thread=asked["ts"])
        reply = await stage.slack.reply(stage.general, asked["ts"], number=2)

    assert CHUNKS[1].text in texts(reply["blocks"])


async def test_a_button_we_do_not_know_is_acknowledged(stage: Stage) -> None:
    _, reply = await stage.answer()

    await press(stage, stage.bob, reply, {"action_id": "from_an_older_version"}, "x")


async def test_the_home_page_shows_books_help_and_own_conversations(stage: Stage) -> None:
    await stage.answer("What is a node?")
    await stage.settled()

    stage.slack.people.opens_home(stage.ann, stage.direct)
    home = await stage.slack.until(lambda: stage.slack.world.homes.get(stage.ann))

    shown = texts(home["blocks"])
    assert "*The book of ros*" in shown
    assert "What is a node?" in shown
    assert "`/search`" in shown
    assert "Add a book" not in shown


async def test_leaders_add_books_from_the_home_page(stage: Stage) -> None:
    stage.slack.people.opens_home(stage.lea, stage.direct)
    home = await stage.slack.until(lambda: stage.slack.world.homes.get(stage.lea))
    button = find_button(home["blocks"], "open_book")
    view = {**home, "id": "V1", "type": "home"}

    people = stage.slack.people
    await people.clicks_in_view(stage.lea, view, button["action_id"], button["value"], team=stage.slack.team.id)
    opened = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))

    assert opened["title"]["text"] == "Add a book"


async def test_search_from_the_home_page_is_answered_directly(stage: Stage) -> None:
    stage.slack.people.opens_home(stage.ann, stage.direct)
    home = await stage.slack.until(lambda: stage.slack.world.homes.get(stage.ann))
    button = find_button(home["blocks"], "open_search")
    people, team = stage.slack.people, stage.slack.team.id
    await people.clicks_in_view(stage.ann, {**home, "id": "V1"}, button["action_id"], "home", team=team)
    view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))

    filled = {"words": {"words": {"type": "plain_text_input", "value": "named topic"}}}
    await people.submits(stage.ann, view, filled, team=team)
    (posted,) = await stage.slack.until(lambda: stage.slack.world.answers(stage.direct))

    assert "A topic is a named channel" in texts(posted["blocks"])


async def test_the_messages_tab_offers_questions_from_the_book(stage: Stage) -> None:
    stage.slack.people.opens_home(stage.ann, stage.direct, tab="messages")
    offered = await stage.slack.until(lambda: next(iter(stage.slack.world.prompts), None))

    member = Member(stage.ann, "ann", thread_key(stage.slack.team.id, stage.direct, stage.direct))
    assert [prompt["message"] for prompt in offered["prompts"]] == await stage.parts.desk.starters(member)
    assert "thread_ts" not in offered


async def test_the_older_assistant_pane_is_a_conversation_too(stage: Stage) -> None:
    thread = stage.slack.people.opens_assistant(stage.ann, stage.direct, stage.general)
    offered = await stage.slack.until(lambda: next(iter(stage.slack.world.prompts), None))
    assert offered["thread_ts"] == thread

    stage.slack.people.says(stage.ann, stage.direct, "What is a node?", thread=thread)
    reply = await stage.slack.reply(stage.direct, thread)

    assert "What is a node?" in texts(reply["blocks"])
    assert stage.parts.agent.asked[0].selected_text is None
    assert wording.QUOTE_EMPTY not in texts(reply["blocks"])
