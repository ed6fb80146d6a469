"""/forget and /history: the conversation of a thread, and in a channel those that the member began there."""

from bot import wording
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.fakes.discord.checks import text_of, walk
from tests.fakes.discord.wire import EPHEMERAL_FLAG, Json


def choices(message: Json) -> dict[str, str]:
    """What the list in a message offers: its values by what is read."""
    return {
        option["label"]: option["value"]
        for each in walk(message["components"])
        for option in each.get("options", [])
    }


async def asked_by_command(stage: Stage, question: str, place: Json, *, is_private: bool = False) -> None:
    """A question of Ann's by /ask, answered and remembered."""
    used = await stage.discord.people.slash(stage.ann, place, "ask", question=question, private=is_private)
    await stage.discord.until_answered(used, "You asked")
    await stage.turns.wait_idle()


async def test_forget_in_a_channel_offers_what_the_member_asked_there_by_command(stage: Stage) -> None:
    people, discord = stage.discord.people, stage.discord
    elsewhere = discord.world.add_channel(stage.guild, "elsewhere")
    await asked_by_command(stage, "What is a node?", stage.general)
    await asked_by_command(stage, "My secret?", stage.general, is_private=True)
    await asked_by_command(stage, "What is a topic?", elsewhere)

    used = await people.slash(stage.ann, stage.general, "forget")
    offered = await discord.until_answered(used, wording.WHICH_TO_FORGET)
    assert offered["flags"] & EPHEMERAL_FLAG
    assert list(choices(offered)) == ["My secret?", "What is a node?"]
    chosen = await people.choose(stage.ann, offered, "fn:forget", choices(offered)["My secret?"])
    await discord.until_answered(chosen, "Forgotten")

    again = await people.slash(stage.ann, stage.general, "forget")
    assert list(choices(await discord.until_answered(again, wording.WHICH_TO_FORGET))) == ["What is a node?"]
    rows = await stage.database.fetch_all("SELECT content FROM messages WHERE role = 'user' ORDER BY content")
    assert [row["content"] for row in rows] == ["What is a node?", "What is a topic?"]


async def test_forget_in_a_channel_offers_nothing_of_others(stage: Stage) -> None:
    await asked_by_command(stage, "My secret?", stage.general)

    used = await stage.discord.people.slash(stage.bob, stage.general, "forget")

    await stage.discord.until_answered(used, "nothing to forget")


async def test_forget_in_direct_messages_and_threads_offers_what_was_asked_there_privately(stage: Stage) -> None:
    people, discord = stage.discord.people, stage.discord
    asked = await stage.ask("What is a node?")
    await discord.until_said(asked["id"], "You asked")
    for place in (discord.world.channels[asked["id"]], discord.world.dm_with(stage.ann)):
        await asked_by_command(stage, "My secret?", place, is_private=True)
        await asked_by_command(stage, "What is a topic?", place)

        used = await people.slash(stage.ann, place, "forget")
        offered = await discord.until_answered(used, wording.WHICH_TO_FORGET)

        assert "Forgotten" in text_of(offered)
        assert list(choices(offered)) == ["My secret?"]


async def test_forgetting_from_a_list_works_after_a_restart(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        await asked_by_command(before, "What is a node?", before.general)
        used = await before.discord.people.slash(before.ann, before.general, "forget")
        offered = await before.discord.until_answered(used, wording.WHICH_TO_FORGET)

    after = await staged()
    async with after.bot():
        (value,) = choices(offered).values()
        chosen = await after.discord.people.choose(after.ann, offered, "fn:forget", value)
        await after.discord.until_answered(chosen, "Forgotten")


async def test_history_in_a_channel_tells_the_latest_conversation_there(stage: Stage) -> None:
    await asked_by_command(stage, "What is a node?", stage.general)
    await asked_by_command(stage, "What is a topic?", stage.general)

    used = await stage.discord.people.slash(stage.ann, stage.general, "history")
    told = text_of(await stage.discord.until_answered(used, "What is a topic?"))

    assert "What is a node?" not in told
    others = await stage.discord.people.slash(stage.bob, stage.general, "history")
    await stage.discord.until_answered(others, "remember no conversation")
