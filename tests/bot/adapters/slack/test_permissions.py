"""Who may ask where, who leads, and workspaces that never see each other."""

import pytest

from bot import wording
from core.errors import SettingsError
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, texts
from tests.fakes.slack import LocalSlack, Team

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
