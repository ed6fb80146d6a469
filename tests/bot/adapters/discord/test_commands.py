"""Slash commands, autocomplete and the message menu, for members and leaders."""

import asyncio

import pytest

from bot import wording
from bot.adapters.discord.searches import from_handle, to_handle
from core.errors import ServiceDown
from core.model import Filters, Layer, Level, SearchQuery
from core.store.jobs import Jobs
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.bot.group import CHUNKS
from tests.fakes.discord.checks import text_of, walk
from tests.fakes.discord.wire import EPHEMERAL_FLAG, Json
from tests.fakes.discord.world import PERMISSIONS
from tests.logged import fields


def buttons(message: Json) -> dict[str, str]:
    """The ids of a message's buttons by their labels or signs."""
    found = (each for each in walk(message["components"]) if each["type"] == 2)
    return {each.get("label") or each["emoji"]["name"]: each["custom_id"] for each in found}


def is_private(message: Json) -> bool:
    return bool(message["flags"] & EPHEMERAL_FLAG)


async def test_ask_is_stored_then_acknowledged_then_answered_publicly(stage: Stage) -> None:
    used = await stage.discord.people.slash(stage.ann, stage.general, "ask", question="What is a node?")

    answer = await stage.discord.until_answered(used, "You asked: What is a node?")
    assert not is_private(answer)
    assert "What is a node?" in text_of(answer).splitlines()[0]
    assert used.ack_seconds is not None
    assert used.ack_seconds < 1


async def test_private_ask_is_answered_to_the_member_alone_and_from_the_book_named(stage: Stage) -> None:
    used = await stage.discord.people.slash(
        stage.ann, stage.general, "ask", question="What is a node?", book="ros", private=True
    )

    answer = await stage.discord.until_answered(used, "You asked")
    assert is_private(answer)
    assert stage.agent.asked[0].filters.books == ("ros",)


async def test_a_command_that_fails_is_excused_with_the_reference_of_the_log(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.searcher.trouble = ServiceDown("qdrant", "refused")
    used = await stage.discord.people.slash(stage.ann, stage.general, "search", query="a named topic")

    excuse = await stage.discord.until_answered(used, "Reference")

    (reference,) = fields(caplog, "reference")
    assert f"`{reference}`" in text_of(excuse)


async def test_search_is_private_paged_and_can_be_shared(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        used = await stage.discord.people.slash(
            stage.ann, stage.general, "search", query="a node topic service action"
        )
        found = await stage.discord.until_answered(used, "passages")
        more = await stage.discord.people.press(stage.ann, found, buttons(found)["More"])
        second = await stage.discord.until_answered(more, "long-running goal")
        share = next(each for each in buttons(second).values() if each.startswith("fn:share"))
        shared = await stage.discord.people.press(stage.ann, second, share)
        public = await stage.discord.until_answered(shared, "Shared by Ann")

    assert is_private(found)
    assert second["id"] == found["id"]
    assert not is_private(public)
    assert "An action is a long-running goal" in text_of(public)


async def test_pages_of_a_search_turn_after_a_restart(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        used = await stage.discord.people.slash(
            stage.ann, stage.general, "search", query="a node topic service action", module="basics"
        )
        found = await stage.discord.until_answered(used, "passages")

    restarted = await staged()
    async with restarted.bot():
        more = await restarted.discord.people.press(stage.ann, found, buttons(found)["More"])
        second = await restarted.discord.until_answered(more, "long-running goal")
        back = await restarted.discord.people.press(stage.ann, second, buttons(second)["Back"])
        await restarted.discord.until_answered(back, "A node is a process")

    assert second["id"] == found["id"]
    assert [scope.module for _, scope in restarted.searcher.asked] == ["basics"]


async def test_search_too_long_for_a_button_says_after_a_restart_how_to_go_on(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        used = await stage.discord.people.slash(
            stage.ann, stage.general, "search", query="a node topic service action " + "graph " * 20
        )
        found = await stage.discord.until_answered(used, "passages")

    restarted = await staged()
    async with restarted.bot():
        more = await restarted.discord.people.press(stage.ann, found, buttons(found)["More"])
        await restarted.discord.until_answered(more, "Search again")


@pytest.mark.parametrize(
    "query",
    [
        SearchQuery("kalman filter"),
        SearchQuery("Zustandsschätzung: “was”?", Filters(books=("ros",), chapter_min=2), 20),
        SearchQuery("node", Filters(levels=(Level("A2"),), layer=Layer("L1"), tier=2, lesson=3, chapter_max=9), 1),
    ],
    ids=["words", "book", "filters"],
)
def test_button_says_what_was_searched_for(query: SearchQuery) -> None:
    assert from_handle(to_handle(query)) == query


async def test_search_passes_every_filter_on(stage: Stage) -> None:
    used = await stage.discord.people.slash(
        stage.ann,
        stage.general,
        "search",
        query="node graph",
        book="ros",
        module="basics",
        chapter_from=1,
        chapter_to=3,
        lesson=1,
        level="A2",
        tier=2,
        layer="L1",
        results=1,
        section=CHUNKS[0].parent_id,
    )
    await stage.discord.until_answered(used, "A node is")

    _, scope = stage.searcher.asked[0]
    assert scope.to_dict() == {
        "books": ["ros"],
        "module": "basics",
        "chapter_min": 1,
        "chapter_max": 3,
        "lesson": 1,
        "tier": 2,
        "levels": ["A2"],
        "layer": "L1",
        "parent_doc_id": CHUNKS[0].parent_id,
    }


async def test_search_that_finds_nothing_says_what_to_try(stage: Stage) -> None:
    used = await stage.discord.people.slash(stage.ann, stage.general, "search", query="xylophone")

    await stage.discord.until_answered(used, "Nothing in the book fits")


@pytest.mark.parametrize(
    ("option", "typed", "value"),
    [
        ("book", "book of", "ros"),
        ("module", "ba", "basics"),
        ("chapter_from", "1", 1),
        ("section", "part 2", CHUNKS[0].parent_id),
    ],
    ids=["book", "module", "chapter", "section"],
)
async def test_options_complete_themselves(stage: Stage, option: str, typed: str, value: object) -> None:
    typing = await stage.discord.people.type_in(stage.ann, stage.general, "search", option, typed, query="node")

    choices = await stage.discord.until(lambda: typing.choices)
    assert choices[0]["value"] == value


async def test_history_and_forget_are_about_this_conversation(stage: Stage) -> None:
    asked = await stage.ask("What is a node?")
    await stage.discord.until_said(asked["id"], "You asked")
    await stage.turns.wait_idle()
    thread = stage.discord.world.channels[asked["id"]]
    people = stage.discord.people

    shown = await people.slash(stage.ann, thread, "history")
    remembered = await stage.discord.until_answered(shown, "What is a node?")
    gone = await people.slash(stage.ann, thread, "forget")
    await stage.discord.until_answered(gone, "Forgotten")
    again = await people.slash(stage.ann, thread, "history")
    await stage.discord.until_answered(again, "remember no conversation")

    assert is_private(remembered)
    rows = await stage.database.fetch_all("SELECT question, reply FROM turns")
    assert [tuple(row) for row in rows] == [("{}", None)]


async def test_usage_and_help_answer_the_member_alone(stage: Stage) -> None:
    asked = await stage.ask()
    await stage.discord.until_said(asked["id"], "You asked")

    usage = await stage.discord.people.slash(stage.ann, stage.general, "usage")
    told = await stage.discord.until_answered(usage, "1 question")
    helping = await stage.discord.people.slash(stage.ann, stage.general, "help")
    helped = await stage.discord.until_answered(helping, "/search")

    assert is_private(told)
    assert "Mention @Footnote" in text_of(helped)


@pytest.mark.parametrize("command", ["report", "book status", "book use"])
async def test_members_cannot_use_leaders_commands(stage: Stage, command: str) -> None:
    used = await stage.discord.people.slash(stage.ann, stage.general, command)

    told = await stage.discord.until_answered(used, "Only leaders")
    assert is_private(told)


async def test_leader_role_leads_without_managing_the_server(staged: MakeStage) -> None:
    first = await staged()
    role = first.discord.world.add_role(first.guild, "tutor")
    stage = await staged(discord_leader_roles=(role["id"],))
    stage.discord.world.join(stage.guild, stage.bob, roles=(role["id"],))
    async with stage.bot():
        used = await stage.discord.people.slash(stage.bob, stage.general, "report")

        await stage.discord.until_answered(used, "The last 7 days")


async def test_report_shows_what_the_book_did_not_answer_and_what_was_voted_down(staged: MakeStage) -> None:
    stage = await staged("I don't have information about that in the book content.")
    async with stage.bot():
        unanswered = await stage.ask("Who invented cheese?")
        await stage.discord.until_said(unanswered["id"], "don't have information")
        asked = await stage.ask("What is a node?")
        answer = await stage.discord.until_said(asked["id"], "You asked")
        down = await stage.discord.people.press(stage.bob, answer, buttons(answer)["👎"])
        await stage.discord.until(lambda: down.modal)
        why = await stage.discord.people.submit(down, {wording.WHY_LABEL: "too short"})
        await stage.discord.until_answered(why, "noted")

        used = await stage.discord.people.slash(stage.lea, stage.general, "report")
        report = await stage.discord.until_answered(used, "Who invented cheese?")

    assert "What is a node?" in text_of(report)
    assert "too short" in text_of(report)


async def test_leader_learns_nothing_that_was_asked_privately(staged: MakeStage) -> None:
    refusals = ["I don't have information about that in the book content."] * 3
    stage = await staged(*refusals)
    people = stage.discord.people
    async with stage.bot():
        direct = stage.discord.world.dm_with(stage.ann)
        await people.say(stage.ann, direct, "Am I too slow for this course?")
        await stage.discord.until_said(direct["id"], "don't have information")
        private = await people.slash(stage.ann, stage.general, "ask", question="Who fails most?", private=True)
        await stage.discord.until_answered(private, "don't have information")
        public = await stage.ask("Who invented cheese?")
        await stage.discord.until_said(public["id"], "don't have information")

        used = await people.slash(stage.lea, stage.general, "report")
        report = text_of(await stage.discord.until_answered(used, "Who invented cheese?"))

    assert "slow" not in report
    assert "fails" not in report


async def test_leader_learns_nothing_from_a_channel_that_is_closed_to_them(staged: MakeStage) -> None:
    stage = await staged(*["I don't have information about that in the book content."] * 2)
    people = stage.discord.people
    closed = stage.discord.world.add_channel(stage.guild, "closed")
    closed["permission_overwrites"] = [
        {"id": stage.lea["id"], "type": 1, "allow": "0", "deny": str(PERMISSIONS["view_channel"])}
    ]
    async with stage.bot():
        asked = await people.ask(stage.ann, closed, "Who fails most?")
        await stage.discord.until_said(asked["id"], "don't have information")
        public = await stage.ask("Who invented cheese?")
        await stage.discord.until_said(public["id"], "don't have information")

        used = await people.slash(stage.lea, stage.general, "report")
        report = text_of(await stage.discord.until_answered(used, "Who invented cheese?"))

    assert "fails" not in report


async def test_private_ask_in_a_thread_is_not_in_its_history(stage: Stage) -> None:
    asked = await stage.ask("What is a node?")
    await stage.discord.until_said(asked["id"], "You asked")
    await stage.turns.wait_idle()
    thread = stage.discord.world.channels[asked["id"]]
    private = await stage.discord.people.slash(stage.ann, thread, "ask", question="My secret?", private=True)
    await stage.discord.until_answered(private, "You asked: My secret?")

    shown = await stage.discord.people.slash(stage.bob, thread, "history")
    history = text_of(await stage.discord.until_answered(shown, "What is a node?"))

    assert "secret" not in history


@pytest.mark.parametrize("command", ["report", "book status", "book use"])
async def test_nobody_leads_a_server_from_direct_messages(stage: Stage, command: str) -> None:
    direct = stage.discord.world.dm_with(stage.ann)

    used = await stage.discord.people.slash(stage.ann, direct, command)

    await stage.discord.until_answered(used, "Only leaders")


async def test_leader_adds_a_book_by_file_and_sees_its_progress(stage: Stage) -> None:
    used = await stage.discord.people.slash(
        stage.lea,
        stage.general,
        "book add",
        file=("robots.md", b"# Robots\n\nA robot is a machine."),
        title="Robots",
    )
    await stage.discord.until_answered(used, "waiting")
    jobs = Jobs(stage.database)
    job = await jobs.claim()
    assert job is not None
    await jobs.finish(job)

    await stage.discord.until_answered(used, "ready")
    assert job.group == f"discord:{stage.guild['id']}"
    assert await asyncio.to_thread(_read, job.source) == b"# Robots\n\nA robot is a machine."


def _read(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"link": "ftp://example.org/book"}, "begins with https://"),
        ({"file": ("virus.exe", b"MZ")}, "I cannot read virus.exe"),
        ({}, "either a file or a link"),
    ],
    ids=["link", "file", "neither"],
)
async def test_book_that_cannot_be_added_is_refused_with_a_reason(
    stage: Stage, options: dict[str, object], told: str
) -> None:
    used = await stage.discord.people.slash(stage.lea, stage.general, "book add", **options)

    answer = await stage.discord.until_answered(used)
    assert told in text_of(answer).replace("\\", "")


async def test_book_is_bound_to_a_channel_and_listed(stage: Stage) -> None:
    using = await stage.discord.people.slash(stage.lea, stage.general, "book use", book="ros")
    await stage.discord.until_answered(using, "now answers in this channel")
    listing = await stage.discord.people.slash(stage.ann, stage.general, "book list")

    await stage.discord.until_answered(listing, "answers here")


async def test_book_of_everybody_cannot_be_removed_by_one_group(stage: Stage) -> None:
    used = await stage.discord.people.slash(stage.lea, stage.general, "book remove", book="ros")

    await stage.discord.until_answered(used, "only the operator can remove it")


async def test_message_menu_opens_a_form_and_asks_about_the_message(stage: Stage) -> None:
    claim = await stage.discord.people.say(stage.bob, stage.general, "A node is a thread.")
    opened = await stage.discord.people.menu(stage.ann, claim, "Ask about this")
    await stage.discord.until(lambda: opened.modal)

    sent = await stage.discord.people.submit(opened, {wording.MENU_QUESTION: "is that so?"})

    await stage.discord.until_answered(sent, "You asked: is that so?")
    assert stage.agent.asked[0].selected_text == "A node is a thread."


async def test_forms_of_two_members_do_not_mix(stage: Stage) -> None:
    people = stage.discord.people
    claim = await people.say(stage.lea, stage.general, "A node is a thread.")
    anns, bobs = [await people.menu(who, claim, "Ask about this") for who in (stage.ann, stage.bob)]
    await stage.discord.until(lambda: anns.modal and bobs.modal)

    first = await people.submit(anns, {wording.MENU_QUESTION: "from Ann"})
    second = await people.submit(bobs, {wording.MENU_QUESTION: "from Bob"})

    await stage.discord.until_answered(first, "You asked: from Ann")
    await stage.discord.until_answered(second, "You asked: from Bob")


async def test_form_that_is_older_than_the_process_still_works(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        claim = await stage.discord.people.say(stage.bob, stage.general, "A node is a thread.")
        opened = await stage.discord.people.menu(stage.ann, claim, "Ask about this")
        await stage.discord.until(lambda: opened.modal)

    restarted = await staged()
    async with restarted.bot():
        sent = await stage.discord.people.submit(opened, {wording.MENU_QUESTION: "still there?"})
        await stage.discord.until_answered(sent, "You asked: still there?")


async def test_commands_are_registered_only_when_they_changed(staged: MakeStage) -> None:
    def registrations(stage: Stage) -> int:
        return sum(call.method == "PUT" and call.path.endswith("/commands") for call in stage.discord.rest.calls)

    stage = await staged()
    for _ in range(2):
        async with stage.bot():
            pass
        stage = await staged()

    assert registrations(stage) == 1
    stage.discord.interactions.commands.pop()
    async with stage.bot():
        pass
    assert registrations(stage) == 2
