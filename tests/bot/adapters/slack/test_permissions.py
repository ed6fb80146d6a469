"""Who may ask where, who leads, and workspaces that never see each other."""

from functools import partial

import pytest

from bot import wording
from bot.adapters.slack import reading_layouts as pages
from bot.adapters.slack.app import ASK_ABOUT
from bot.adapters.slack.layouts import READ
from core.errors import SettingsError
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, find_button, texts
from tests.bot.group import cited
from tests.fakes.slack import LocalSlack, Team
from tests.fakes.slack.world import Json

OTHER = Team("T0OTHER", "xoxb-other", "U0OTHERBOT", "B0OTHERBOT", "Other")


async def test_outside_the_listed_channels_we_say_so_and_do_not_answer(staged: MakeStage) -> None:
    stage = await staged(slack_channels=("C_SOMEWHERE_ELSE",))
    async with stage.bot():
        _, reply = await stage.answer()
        direct = stage.slack.people.says(stage.ann, stage.direct, "What is a node?")
        private = await stage.slack.reply(stage.direct, direct["ts"])
        ack = await stage.slack.people.types(stage.ann, stage.general, "/ask", "What is a node?")

    assert wording.NOT_HERE in texts(reply["blocks"])
    assert "You asked" in texts(private["blocks"])
    assert ack["payload"]["text"] == wording.NOT_HERE


async def test_only_members_of_the_listed_groups_may_ask(staged: MakeStage) -> None:
    stage = await staged(slack_groups=("S1",))
    stage.slack.world.user_groups["S1"] = [stage.bob]
    async with stage.bot():
        _, refused = await stage.answer()
        asked = stage.slack.people.says(stage.bob, stage.general, f"{stage.mention} What is a node?")
        answered = await stage.slack.reply(stage.general, asked["ts"])

    assert wording.NOT_YOU in texts(refused["blocks"])
    assert "You asked" in texts(answered["blocks"])
    assert stage.slack.count("usergroups.users.list") == 1


NOT_THERE = {"slack_channels": ("C_SOMEWHERE_ELSE",)}
NOT_THEM = {"slack_groups": ("S1",)}
REFUSALS = [(NOT_THERE, wording.NOT_HERE), (NOT_THEM, wording.NOT_YOU)]
REFUSED = pytest.mark.parametrize(("setting", "sentence"), REFUSALS, ids=["channels", "groups"])


async def private_words(stage: Stage) -> str:
    """What is told to one member alone, once it is."""
    shown = await stage.slack.until(lambda: next(iter(stage.slack.world.ephemeral), None))
    return texts(shown["blocks"])


@REFUSED
@pytest.mark.parametrize("words", ["topic", ""], ids=["with words", "for the form"])
async def test_search_is_for_those_who_may_ask_where_they_may_ask(
    staged: MakeStage, setting: Json, sentence: str, words: str
) -> None:
    stage = await staged(**setting)
    async with stage.bot():
        await stage.slack.people.types(stage.ann, stage.general, "/search", words)

        assert sentence in await private_words(stage)

    assert stage.slack.world.views == {}
    assert stage.parts.searcher.asked == []


@REFUSED
@pytest.mark.parametrize("button", [READ, pages.TURN_PAGE, pages.SHARE])
async def test_passages_are_for_those_who_may_ask_where_they_may_ask(
    staged: MakeStage, setting: Json, sentence: str, button: str
) -> None:
    before = await staged(cited("Topics carry messages [1].", 1))
    async with before.bot():
        _, reply = await before.answer()

    stage = await staged(**setting)
    async with stage.bot():
        value = find_button(reply["blocks"], "read_passage")["value"]
        await stage.slack.people.clicks(stage.ann, stage.general, reply, f"{button}:0", value)

        assert sentence in await private_words(stage)

    assert stage.slack.world.views == {}


@REFUSED
async def test_ask_about_this_is_for_those_who_may_ask_where_they_may_ask(
    staged: MakeStage, setting: Json, sentence: str
) -> None:
    stage = await staged(**setting)
    async with stage.bot():
        claim = stage.slack.people.says(stage.bob, stage.general, "A topic is the same as a service.")
        await stage.slack.people.uses_shortcut(stage.ann, stage.general, claim, ASK_ABOUT)

        assert sentence in await private_words(stage)

    assert stage.slack.world.views == {}


@pytest.mark.parametrize("name", ["words", "question"], ids=["a search", "ask about this"])
@REFUSED
async def test_a_form_that_was_opened_before_the_operator_chose_is_refused_in_the_form(
    staged: MakeStage, setting: Json, sentence: str, name: str
) -> None:
    before = await staged()
    people, world = before.slack.people, before.slack.world
    async with before.bot():
        if name == "words":
            await people.types(before.ann, before.general, "/search")
        else:
            claim = people.says(before.bob, before.general, "A topic is the same as a service.")
            await people.uses_shortcut(before.ann, before.general, claim, ASK_ABOUT)
        view = await before.slack.until(lambda: next(iter(world.views.values()), None))

    after = await staged(**setting)
    async with after.bot():
        filled = {name: {name: {"type": "plain_text_input", "value": "topic"}}}
        ack = await people.submits(after.ann, view, filled, team=after.slack.team.id)

    assert ack["payload"]["errors"] == {name: sentence}
    assert (after.parts.searcher.asked, after.parts.agent.asked) == ([], [])


async def test_the_home_page_is_no_channel_and_searches_for_those_who_may_ask(staged: MakeStage) -> None:
    stage = await staged(**NOT_THERE, **NOT_THEM)
    stage.slack.world.user_groups["S1"] = [stage.ann]
    people, team = stage.slack.people, stage.slack.team.id
    bobs = stage.slack.world.add_channel("bobs", team=team, kind="im", user=stage.bob)
    async with stage.bot():
        for user, direct in ((stage.ann, stage.direct), (stage.bob, bobs)):
            people.opens_home(user, direct)
            home = await stage.slack.until(partial(stage.slack.world.homes.get, user))
            button = find_button(home["blocks"], "open_search")
            await people.clicks_in_view(user, {**home, "id": "V1"}, button["action_id"], "home", team=team)
        view = await stage.slack.until(lambda: next(iter(stage.slack.world.views.values()), None))
        filled = {"words": {"words": {"type": "plain_text_input", "value": "named topic"}}}
        await people.submits(stage.ann, view, filled, team=team)
        (found,) = await stage.slack.until(lambda: stage.slack.world.answers(stage.direct))
        (refused,) = await stage.slack.until(lambda: stage.slack.world.answers(bobs))

    assert "A topic is a named channel" in texts(found["blocks"])
    assert wording.NOT_YOU in texts(refused["blocks"])


async def test_leaders_are_admins_and_members_of_the_leaders_group(staged: MakeStage) -> None:
    stage = await staged(slack_leader_groups=("S1",))
    stage.slack.world.user_groups["S1"] = [stage.bob]
    async with stage.bot():
        for user in (stage.bob, stage.lea, stage.ann):
            await stage.slack.people.types(user, stage.general, "/report")
        await stage.slack.until(lambda: len(stage.slack.world.ephemeral) == 3)

    by_user = {each["user"]: texts(each["blocks"]) for each in stage.slack.world.ephemeral}
    assert [wording.LEADERS_ONLY in by_user[user] for user in (stage.bob, stage.lea, stage.ann)] == [
        False,
        False,
        True,
    ]


async def test_slack_is_not_asked_about_the_same_member_twice_in_a_row(stage: Stage) -> None:
    for _ in range(3):
        await stage.slack.people.types(stage.lea, stage.general, "/report")
    await stage.slack.until(lambda: len(stage.slack.world.ephemeral) == 3)

    assert stage.slack.count("users.info") == 1


@pytest.mark.parametrize("slack", [(Team(), OTHER)], indirect=True, ids=["two workspaces"])
async def test_workspaces_have_their_own_token_and_memory(stage: Stage) -> None:
    world = stage.slack.world
    zoe = world.add_user("zoe", team=OTHER.id)
    theirs = world.add_channel("theirs", team=OTHER.id)

    asked = stage.slack.people.says(zoe, theirs, f"<@{OTHER.bot_user}> What is a node?")
    reply = await stage.slack.reply(theirs, asked["ts"])
    await stage.answer()
    await stage.settled()

    assert reply["user"] == OTHER.bot_user
    groups = {question.key.group for question in stage.parts.agent.asked}
    assert groups == {"slack:T0STUDY", "slack:T0OTHER"}


async def test_a_turn_of_a_workspace_that_removed_the_app_ends(staged: MakeStage) -> None:
    before = await staged(is_gated=True)
    async with before.bot():
        before.ask()
        await before.parts.agent.started.get()
    async with before.database.write() as tx:
        await tx.execute("UPDATE turns SET surface = replace(surface, 'T0STUDY', 'T0GONE')")

    after = await staged()
    async with after.bot():
        await after.settled()

    rows = await after.database.fetch_all("SELECT state, reason FROM turns")
    assert [(row["state"], "T0GONE" in row["reason"]) for row in rows] == [("failed", True)]


@pytest.mark.parametrize("slack", [(Team("", enterprise="E1"),)], indirect=True, ids=["a whole organisation"])
async def test_an_organisations_workspaces_are_kept_apart(slack: LocalSlack, staged: MakeStage) -> None:
    org = slack.team
    slack.world.teams["T1"] = slack.world.teams["T2"] = org
    stage = await staged()
    first = slack.world.add_channel("first", team="T1")
    second = slack.world.add_channel("second", team="T2")
    async with stage.bot():
        for channel in (first, second):
            slack.people.says(stage.ann, channel, f"<@{org.bot_user}> What is a node?")
        await stage.settled()

    assert {question.key.group for question in stage.parts.agent.asked} == {"slack:T1", "slack:T2"}


async def test_a_refused_token_is_the_operators_to_repair(staged: MakeStage) -> None:
    stage = await staged(slack_bot_token="xoxb-wrong")

    with pytest.raises(SettingsError, match="invalid_auth"):
        async with stage.bot():
            pass


async def test_a_refused_app_token_too(staged: MakeStage) -> None:
    stage = await staged(slack_app_token="xapp-wrong")

    with pytest.raises(SettingsError, match="invalid_auth"):
        async with stage.bot():
            pass
