"""Who may ask where: channels, roles, and direct messages, where the roles of the shared server count."""

import pytest

from bot import wording
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.bot.adapters.discord.test_commands import buttons
from tests.bot.group import CHUNKS, cited
from tests.fakes.discord.checks import walk


async def test_only_allowed_channels_and_roles_are_answered(staged: MakeStage) -> None:
    first = await staged()
    other = first.discord.world.add_channel(first.guild, "off-topic")
    role = first.discord.world.add_role(first.guild, "student")
    stage = await staged(discord_channels=(first.general["id"],), discord_roles=(role["id"],))
    stage.discord.world.join(stage.guild, stage.ann, roles=(role["id"],))
    async with stage.bot():
        await stage.discord.people.ask(stage.ann, other, "in the wrong channel")
        await stage.ask("without the role", by=stage.bob)
        await stage.ask("with the role")
        leaders = await stage.ask("as a leader", by=stage.lea)
        await stage.discord.until_said(leaders["id"], "You asked")

    assert {question.text for question in stage.agent.asked} == {"with the role", "as a leader"}


async def make_stage_for_students(staged: MakeStage) -> Stage:
    """A stage on which only students may ask: Ann is one, Bob is not, and Lea leads."""
    first = await staged()
    role = first.discord.world.add_role(first.guild, "student")
    stage = await staged(discord_roles=(role["id"],))
    stage.discord.world.join(stage.guild, stage.ann, roles=(role["id"],))
    return stage


async def test_direct_messages_are_answered_for_members_with_the_role(staged: MakeStage) -> None:
    stage = await make_stage_for_students(staged)
    world = stage.discord.world
    stranger = world.add_user("eve")
    async with stage.bot():
        for user, told in (
            (stage.ann, "You asked"),
            (stage.lea, "You asked"),
            (stage.bob, wording.NOT_YOU),
            (stranger, wording.NOT_YOU),
        ):
            direct = world.dm_with(user)
            await stage.discord.people.say(user, direct, f"asked by {user['username']}")
            await stage.discord.until_said(direct["id"], told)

    assert [question.text for question in stage.agent.asked] == ["asked by ann", "asked by lea"]


@pytest.mark.parametrize(("name", "option"), [("ask", "question"), ("search", "query")], ids=["ask", "search"])
async def test_commands_in_direct_messages_are_for_members_with_the_role(
    staged: MakeStage, name: str, option: str
) -> None:
    stage = await make_stage_for_students(staged)
    world, people = stage.discord.world, stage.discord.people
    async with stage.bot():
        for user, told in ((stage.ann, "node"), (stage.bob, wording.NOT_YOU)):
            used = await people.slash(user, world.dm_with(user), name, **{option: "a node"})
            await stage.discord.until_answered(used, told)

    assert len(stage.agent.asked) + len(stage.searcher.asked) == 1


async def test_command_without_the_role_says_that_it_is_the_role(staged: MakeStage) -> None:
    stage = await make_stage_for_students(staged)
    async with stage.bot():
        used = await stage.discord.people.slash(stage.bob, stage.general, "ask", question="What is a node?")

        await stage.discord.until_answered(used, wording.NOT_YOU)


async def test_pages_of_a_search_from_before_the_restart_turn_for_those_who_may_ask(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        used = await before.discord.people.slash(
            before.bob, before.general, "search", query="a node topic service action"
        )
        found = await before.discord.until_answered(used, "passages")

    after = await make_stage_for_students(staged)
    async with after.bot():
        more = next(each["custom_id"] for each in walk(found["components"]) if each.get("label") == "More")
        pressed = await after.discord.people.press(after.bob, found, more)
        await after.discord.until_answered(pressed, wording.NOT_YOU)

    assert after.searcher.asked == []


@pytest.mark.parametrize("button", ["Source 1", "Share"])
async def test_passages_are_for_members_with_the_role(staged: MakeStage, button: str) -> None:
    before = await staged(cited("Topics carry messages [1].", 1))
    async with before.bot():
        asked = await before.ask()
        shown = await before.discord.until_said(asked["id"], "Topics carry messages")
        if button == "Share":
            reading = await before.discord.people.press(before.bob, shown, buttons(shown)["Source 1"])
            shown = await before.discord.until_answered(reading, CHUNKS[0].text)

    after = await make_stage_for_students(staged)
    async with after.bot():
        pressed = await after.discord.people.press(after.bob, shown, buttons(shown)[button])
        await after.discord.until_answered(pressed, wording.NOT_YOU)


async def test_direct_messages_belong_to_the_server_in_which_the_member_has_the_role(staged: MakeStage) -> None:
    first = await staged()
    world = first.discord.world
    other = world.add_guild("The other group")
    role = world.add_role(other, "student")
    stage = await staged(discord_roles=(role["id"],))
    world.join(other, stage.ann, roles=(role["id"],))
    async with stage.bot():
        direct = world.dm_with(stage.ann)
        await stage.discord.people.say(stage.ann, direct, "What is a node?")
        await stage.discord.until_said(direct["id"], "You asked")

    assert stage.agent.asked[0].key.group == f"discord:{other['id']}"
