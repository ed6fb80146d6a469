"""One server never sees another's books or conversations."""

from core.model import Place
from core.store.library import Library
from tests.bot.adapters.discord.conftest import MakeStage
from tests.core.store.making import add_book, make_chunks, store_file
from tests.fakes.discord.checks import text_of


async def test_books_conversations_and_buttons_stay_in_their_server(staged: MakeStage) -> None:
    stage = await staged()
    world, people = stage.discord.world, stage.discord.people
    other = world.add_guild("Other group")
    lobby = world.add_channel(other, "lobby")
    eve = world.add_user("eve")
    world.join(other, eve, is_leader=True)
    library = Library(stage.database)
    await add_book(library, "secret", group=f"discord:{stage.guild['id']}", title="Secret book")
    place = Place("secret", "basics", 1, 1)
    texts = ["The secret plan is about nodes and nothing else."]
    await store_file(library, texts, place=place, source_file="secret.md")
    chunk = make_chunks(texts, place, source_file="secret.md")[0]

    async with stage.bot():
        asked = await stage.ask("our own matter")
        answer = await stage.discord.until_said(asked["id"], "You asked")
        await stage.turns.wait_idle()
        listing = await people.slash(eve, lobby, "book list")
        listed = await stage.discord.until_answered(listing, "The book of ros")
        naming = await people.slash(eve, lobby, "search", query="secret plan", book="secret")
        refused = await stage.discord.until_answered(naming, "no book")
        searching = await people.slash(eve, lobby, "search", query="secret plan")
        await stage.discord.until_answered(searching, "Nothing in the book")
        typing = await people.type_in(eve, lobby, "search", "book", "", query="node")
        choices = await stage.discord.until(lambda: typing.choices)
        reading = await people.press(eve, {**answer, "channel_id": lobby["id"]}, f"fn:src:{chunk.id}")
        await stage.discord.until_answered(reading, "no longer have that passage")
        nonce = next(row["nonce"] for row in await stage.database.fetch_all("SELECT nonce FROM turns"))
        voting = await people.press(eve, {**answer, "channel_id": lobby["id"]}, f"fn:up:{nonce}")
        await stage.discord.until_answered(voting, "no longer have that answer")
        reporting = await people.slash(eve, lobby, "report")
        report = await stage.discord.until_answered(reporting, "The last 7 days")

    assert "Secret" not in text_of(listed)
    assert "nodes" not in text_of(refused)
    assert [each["value"] for each in choices] == ["ros"]
    assert "our own matter" not in text_of(report)
