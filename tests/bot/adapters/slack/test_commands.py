"""Slash commands: each answered at once, privately, in words."""

import re
from dataclasses import replace

import pytest

from bot import wording
from bot.adapters.slack.naming import COMMANDS, Naming
from bot.reply import Reply, ReplyKind
from core.errors import ServiceDown
from core.model import Selection
from core.store.job import JobStatus
from core.store.library import Library
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, find_button, texts
from tests.fakes.slack.world import Json
from tests.logged import fields


async def told(stage: Stage, user: str, command: str, text: str = "", *, channel: str = "") -> Json:
    """Type a command; what only its member sees."""
    before = len(stage.slack.world.ephemeral)
    ack = await stage.slack.people.types(user, channel or stage.general, command, text)
    assert ack["acked"]
    return await stage.slack.until(lambda: next(iter(stage.slack.world.ephemeral[before:]), None))


async def test_ask_puts_the_question_into_the_channel_and_answers_under_it(stage: Stage) -> None:
    ack = await stage.slack.people.types(stage.ann, stage.general, "/ask", "What is a <node> & co?")
    assert ack["acked"]
    (question,) = stage.slack.world.answers(stage.general)
    reply = await stage.slack.reply(stage.general, question["ts"])

    assert "*ann* asks: What is a &lt;node&gt; &amp; co?" in texts(question["blocks"])
    assert "You asked: What is a" in texts(reply["blocks"])
    stage.slack.people.says(stage.ann, stage.general, "why?", thread=question["ts"])
    await stage.slack.reply(stage.general, question["ts"], number=2)


async def test_ask_where_the_bot_is_not_is_answered_privately(stage: Stage) -> None:
    stage.slack.world.channels[stage.general]["is_member"] = False

    await stage.slack.people.types(stage.ann, stage.general, "/ask", "What is a node?")
    shown = await stage.slack.until(lambda: next(iter(stage.slack.world.ephemeral), None))

    assert shown["user"] == stage.ann
    assert shown["response_type"] == "ephemeral"
    assert "You asked: What is a node?" in texts(shown["blocks"])
    up = find_button(shown["blocks"], "feedback:up")
    await stage.slack.people.clicks(stage.ann, stage.general, shown, up["action_id"], up["value"])
    said = await stage.slack.until(lambda: stage.slack.world.ephemeral[1:])
    assert wording.THANKS in texts(said[0]["blocks"])


async def test_a_command_that_fails_is_excused_with_the_reference_of_the_log(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.parts.searcher.trouble = ServiceDown("qdrant", "refused")

    shown = texts((await told(stage, stage.ann, "/search", "named topic"))["blocks"])

    (reference,) = fields(caplog, "reference")
    assert f"`{reference}`" in shown


async def test_ask_without_a_question_says_so_at_once(stage: Stage) -> None:
    ack = await stage.slack.people.types(stage.ann, stage.general, "/ask", "  ")

    assert "There is no question" in ack["payload"]["text"]
    assert stage.slack.world.answers(stage.general) == []


async def test_search_shows_passages_with_links_to_the_member_alone(stage: Stage) -> None:
    shown = await told(stage, stage.ann, "/search", "named topic service limit:2")

    assert shown["response_type"] == "ephemeral"
    assert "A topic is a named channel" in texts(shown["blocks"])
    assert "<https://example.org/topics#part-1|" in texts(shown["blocks"])
    assert stage.slack.world.answers(stage.general) == []


async def test_search_takes_filters_among_the_words(stage: Stage) -> None:
    await told(stage, stage.ann, "/search", "topic module:basics chapter:1-2 limit:3")

    words, scope = stage.parts.searcher.asked[0]
    assert (words, scope.module, scope.chapter_min, scope.chapter_max) == ("topic", "basics", 1, 2)


async def test_a_search_that_cannot_be_understood_says_why(stage: Stage) -> None:
    shown = await told(stage, stage.ann, "/search", "topic level:Z9")

    assert "A1, A2, B1" in texts(shown["blocks"])


async def test_a_search_without_a_hit_says_so(stage: Stage) -> None:
    assert "Nothing in the book fits" in texts((await told(stage, stage.ann, "/search", "zebra"))["blocks"])


async def test_search_without_words_opens_a_form_with_every_filter(stage: Stage) -> None:
    await stage.slack.people.types(stage.ann, stage.general, "/search")
    view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
    names = [block["block_id"] for block in view["blocks"]]
    assert names == ["words", "book", "module", "chapter", "lesson", "level", "tier", "layer", "limit"]

    filled = {
        "words": {"words": {"type": "plain_text_input", "value": "topic"}},
        "module": {"module": {"type": "plain_text_input", "value": "basics"}},
        "level": {
            "level": {"type": "multi_static_select", "selected_options": [{"value": "A2"}, {"value": "B1"}]}
        },
        "tier": {"tier": {"type": "static_select", "selected_option": {"value": "2"}}},
        "layer": {"layer": {"type": "static_select", "selected_option": None}},
    }
    await stage.slack.people.submits(stage.ann, view, filled, team=stage.slack.team.id)
    shown = await stage.slack.until(lambda: next(iter(stage.slack.world.ephemeral), None))

    assert "A topic is a named channel" in texts(shown["blocks"])
    _, scope = stage.parts.searcher.asked[0]
    assert (scope.module, scope.tier, [str(level) for level in scope.levels]) == ("basics", 2, ["A2", "B1"])


async def test_a_wrong_filter_in_the_form_is_said_in_the_form(stage: Stage) -> None:
    await stage.slack.people.types(stage.ann, stage.general, "/search")
    view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
    filled = {
        "words": {"words": {"type": "plain_text_input", "value": "topic"}},
        "chapter": {"chapter": {"type": "plain_text_input", "value": "four"}},
    }

    ack = await stage.slack.people.submits(stage.ann, view, filled, team=stage.slack.team.id)

    assert ack["payload"]["response_action"] == "errors"


async def test_a_hit_is_shared_to_the_channel(stage: Stage) -> None:
    shown = await told(stage, stage.ann, "/search", "named topic")
    button = find_button(shown["blocks"], "share")

    await stage.slack.people.clicks(stage.ann, stage.general, shown, button["action_id"], button["value"])
    (posted,) = await stage.slack.until(lambda: stage.slack.world.answers(stage.general))

    assert "A topic is a named channel" in texts(posted["blocks"])
    assert "Shared by ann" in texts(posted["blocks"])
    stage.ask("why named?", thread=posted["ts"])
    await stage.slack.reply(stage.general, posted["ts"])
    asked = stage.parts.agent.asked[0]
    assert asked.selection is Selection.BOOK
    assert "A topic is a named channel" in (asked.selected_text or "")


async def test_sharing_where_the_bot_is_not_says_what_to_do(stage: Stage) -> None:
    shown = await told(stage, stage.ann, "/search", "named topic")
    stage.slack.world.channels[stage.general]["is_member"] = False
    button = find_button(shown["blocks"], "share")

    await stage.slack.people.clicks(stage.ann, stage.general, shown, button["action_id"], button["value"])
    told_after = await stage.slack.until(lambda: stage.slack.world.ephemeral[1:])

    assert "Invite me first" in texts(told_after[0]["blocks"])


async def test_books_are_listed_for_everybody(stage: Stage) -> None:
    shown = await told(stage, stage.ann, "/book")

    assert "*The book of ros*" in texts(shown["blocks"])
    assert "answers here" in texts(shown["blocks"])


@pytest.mark.parametrize(
    ("command", "text"),
    [("/book", "use ros"), ("/book", "add https://b.example"), ("/book", "remove ros"), ("/report", "")],
    ids=["use", "add", "remove", "report"],
)
async def test_leaders_commands_are_for_leaders(stage: Stage, command: str, text: str) -> None:
    shown = await told(stage, stage.ann, command, text)

    assert wording.LEADERS_ONLY in texts(shown["blocks"])


async def test_a_leader_chooses_the_book_of_a_channel(stage: Stage) -> None:
    shown = await told(stage, stage.lea, "/book", "use ros")

    assert "I now answer from *The book of ros*" in texts(shown["blocks"])
    rows = await stage.database.fetch_all("SELECT group_key, channel, book FROM bindings")
    assert [tuple(row) for row in rows] == [(f"slack:{stage.slack.team.id}", stage.general, "ros")]


async def test_an_unknown_book_is_named(stage: Stage) -> None:
    assert "/book list" in texts((await told(stage, stage.lea, "/book", "use nothing"))["blocks"])


async def test_an_added_book_shows_its_progress_in_the_channel(stage: Stage) -> None:
    await stage.slack.people.types(stage.lea, stage.general, "/book", "add <https://b.example/book>")
    (posted,) = await stage.slack.until(lambda: stage.slack.world.answers(stage.general))
    assert "waiting" in texts(posted["blocks"])

    job = await stage.parts.jobs.claim()
    assert job is not None
    assert job.status is JobStatus.RUNNING
    await stage.slack.until(lambda: "being read" in texts(posted["blocks"]))
    await stage.parts.jobs.fail(job, "there is nothing at that address")
    await stage.slack.until(lambda: "nothing at that address" in texts(posted["blocks"]))


async def test_a_file_is_handed_in_with_a_form(stage: Stage) -> None:
    await stage.slack.people.types(stage.lea, stage.general, "/book", "add")
    view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
    url = f"{stage.slack.base}/files/F1"
    file = {"id": "F1", "name": "notes.md", "url_private_download": url}
    stage.slack.world.files["F1"] = (file, b"# Notes\n\nA node is a process.")
    filled = {
        "file": {"file": {"type": "file_input", "files": [file]}},
        "link": {"link": {"type": "plain_text_input", "value": None}},
        "title": {"title": {"type": "plain_text_input", "value": "Our notes"}},
    }

    await stage.slack.people.submits(stage.lea, view, filled, team=stage.slack.team.id)
    await stage.slack.until(lambda: stage.slack.world.answers(stage.general))

    (job,) = await stage.parts.jobs.list(group=f"slack:{stage.slack.team.id}")
    assert job.options["title"] == "Our notes"
    with open(job.source, "rb") as stored:  # noqa: PTH123, ASYNC230
        assert stored.read().startswith(b"# Notes")


async def test_a_file_that_slack_does_not_keep_is_refused_and_no_token_leaves(stage: Stage) -> None:
    await stage.slack.people.types(stage.lea, stage.general, "/book", "add")
    view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
    file = {"id": "F1", "name": "notes.md", "url_private_download": "https://evil.example/notes.md"}
    filled = {"file": {"file": {"type": "file_input", "files": [file]}}}

    await stage.slack.people.submits(stage.lea, view, filled, team=stage.slack.team.id)
    posted = await stage.slack.until(
        lambda: [each for channel in stage.slack.world.messages for each in stage.slack.world.answers(channel)]
    )

    assert "not kept by Slack" in texts(posted[0]["blocks"])


async def test_history_tells_the_last_conversation_here(stage: Stage) -> None:
    await stage.answer("What is a node?")
    await stage.settled()

    shown = await told(stage, stage.ann, "/history")

    assert "*You*: What is a node?" in texts(shown["blocks"])


async def test_forget_lets_a_member_choose(stage: Stage) -> None:
    await stage.answer("a secret question")
    await stage.settled()
    shown = await told(stage, stage.ann, "/forget")
    assert "a secret question" in texts(shown["blocks"])
    button = find_button(shown["blocks"], "forget_visit")

    await stage.slack.people.clicks(stage.ann, stage.general, shown, button["action_id"], button["value"])
    said = await stage.slack.until(lambda: stage.slack.world.ephemeral[1:])

    assert "Forgotten" in texts(said[0]["blocks"])
    assert "nothing to forget" in texts((await told(stage, stage.ann, "/forget"))["blocks"])


async def test_conversations_of_others_are_not_offered(stage: Stage) -> None:
    await stage.answer("a secret question")
    await stage.settled()

    shown = await told(stage, stage.bob, "/forget")

    assert "secret" not in texts(shown["blocks"])


async def test_usage_counts_todays_questions(stage: Stage) -> None:
    await stage.answer()
    await stage.settled()

    assert "You: 1 question" in texts((await told(stage, stage.ann, "/usage"))["blocks"])


async def test_a_leader_reads_what_the_book_did_not_answer(staged: MakeStage) -> None:
    stage = await staged("Not in the book.")
    async with stage.bot():
        await stage.answer("What is a zebra?")
        await stage.settled()
        shown = await told(stage, stage.lea, "/report", "30")

    assert "What is a zebra?" in texts(shown["blocks"])
    assert "last 30 days" in texts(shown["blocks"])


async def test_a_leader_learns_nothing_that_was_asked_privately(staged: MakeStage) -> None:
    stage = await staged(*["Not in the book."] * 4)
    people, world = stage.slack.people, stage.slack.world
    closed = world.add_channel("closed", team=stage.slack.team.id)
    world.channels[closed]["is_member"] = False
    async with stage.bot():
        direct = people.says(stage.ann, stage.direct, "Am I too slow for this course?")
        await stage.slack.reply(stage.direct, direct["ts"])
        pane = people.opens_assistant(stage.ann, stage.direct, stage.general)
        people.says(stage.ann, stage.direct, "Am I too old for this course?", thread=pane)
        await stage.slack.reply(stage.direct, pane)
        await told(stage, stage.ann, "/ask", "Who fails most?", channel=closed)
        await stage.answer("Who invented cheese?")
        await stage.settled()

        report = texts((await told(stage, stage.lea, "/report"))["blocks"])

    assert "Who invented cheese?" in report
    assert not re.search("slow|old|fails", report)


@pytest.mark.parametrize("kind", ["group", "mpim"], ids=["a private channel", "a group's direct messages"])
async def test_what_was_asked_in_a_closed_channel_is_reported_there_and_nowhere_else(
    staged: MakeStage, kind: str
) -> None:
    stage = await staged(*["Not in the book."] * 2)
    people = stage.slack.people
    closed = stage.slack.world.add_channel("closed", team=stage.slack.team.id, kind=kind)
    async with stage.bot():
        asked = people.says(stage.ann, closed, f"<@{stage.slack.team.bot_user}> Who fails most?")
        await stage.slack.reply(closed, asked["ts"])
        await stage.answer("Who invented cheese?")
        await stage.settled()

        elsewhere = texts((await told(stage, stage.lea, "/report"))["blocks"])
        there = texts((await told(stage, stage.lea, "/report", channel=closed))["blocks"])

    assert "Who invented cheese?" in elsewhere
    assert "Who fails most?" not in elsewhere
    assert "Who fails most?" in there


async def test_help_names_every_command(stage: Stage) -> None:
    shown = texts((await told(stage, stage.ann, "/help"))["blocks"])

    assert all(f"`/{name}`" in shown for name in COMMANDS)


async def test_commands_may_have_a_prefix(staged: MakeStage) -> None:
    stage = await staged(slack_command_prefix="fn")
    async with stage.bot():
        shown = await told(stage, stage.ann, "/fn-usage")
        help_shown = await told(stage, stage.ann, "/fn-help")

    assert "Today" in texts(shown["blocks"])
    assert "`/fn-search`" in texts(help_shown["blocks"])


async def test_what_we_say_names_the_commands_that_exist(staged: MakeStage) -> None:
    stage = await staged(slack_command_prefix="fn")
    async with stage.bot():
        stage.slack.people.says(stage.ann, stage.general, stage.mention)
        hello = await stage.slack.until(lambda: next(iter(stage.slack.world.answers(stage.general)), None))
        hello = await stage.slack.reply(stage.general, hello["thread_ts"])
        unknown = await told(stage, stage.lea, "/fn-book", "use nothing-of-the-kind")
        await Library(stage.database).delete_book("ros")
        none_left = await told(stage, stage.ann, "/fn-book", "list")
        stage.slack.people.opens_home(stage.ann, stage.direct)
        home = await stage.slack.until(lambda: stage.slack.world.homes.get(stage.ann))

    said = [texts(each["blocks"]) for each in (hello, unknown, none_left, home)]
    assert "`/fn-search`" in said[0]
    assert "`/fn-book list`" in said[1]
    assert all("`/fn-book add`" in each for each in said[2:])
    assert not re.search(r"`/(?!fn-)", "".join(said))


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("`/book list` shows them.", "`/fn-book list` shows them."),
        ("A leader can add one with /book add, or not.", "A leader can add one with /fn-book add, or not."),
        ("See https://example.org/help and /etc/search.", "See https://example.org/help and /etc/search."),
        ("either/ask or /asking", "either/ask or /asking"),
    ],
    ids=["code", "plain", "address", "part of a word"],
)
def test_only_commands_get_a_prefix(sentence: str, named: str) -> None:
    assert Naming("fn").text(sentence) == named
    assert Naming().text(sentence) == sentence


def test_what_a_book_says_keeps_its_words() -> None:
    answer = replace(Reply.notice("Type `/help`."), kind=ReplyKind.ANSWER, notes=("Try `/help`.",))

    named = Naming("fn").reply(answer)

    assert (named.text, named.notes) == ("Type `/help`.", ("Try `/fn-help`.",))
