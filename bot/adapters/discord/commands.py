"""The slash commands that members use, and the message menu."""

import secrets

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot import telling, wording
from bot.adapters.discord import custom_ids
from bot.adapters.discord.acts import Acts
from bot.adapters.discord.answering import excused, say, show
from bot.adapters.discord.askers import Askers
from bot.adapters.discord.completing import Completing
from bot.adapters.discord.forms import form
from bot.adapters.discord.layouts import MAX_OPTIONS
from bot.adapters.discord.place import PRIVATE
from bot.adapters.discord.reading_layouts import results_layout, visits_layout
from bot.adapters.discord.searches import Searches, to_filters
from bot.desk import Desk
from bot.public_page import PublicPage
from core.model import Filters, Layer, Level, Question, SearchQuery
from core.model.limits import DEFAULT_TOP_K, MAX_QUESTION_CHARS, MAX_TIER, MAX_TOP_K, MIN_SEARCH_CHARS, MIN_TIER

HELP = {
    "/ask": "asks from anywhere",
    "/search": "finds passages, for you alone",
    "/history": "what I remember of this conversation",
    "/forget": "deletes it from my memory",
    "/usage": "how much was asked today",
    "/book": "adds and chooses books (leaders)",
    "/report": "what the book did not answer (leaders)",
}
Words = Range[str, 1, MAX_QUESTION_CHARS]


def add_member_commands(
    tree: app_commands.CommandTree[discord.Client],
    *,
    desk: Desk,
    acts: Acts,
    askers: Askers,
    searches: Searches,
    completing: Completing,
    page: PublicPage,
) -> None:
    """Add /ask, /search, /history, /forget, /usage, /help and "Ask about this" to *tree*."""

    @tree.command(description="Ask the book a question")
    @app_commands.describe(
        question="What you would like to know", book="Only this book", private="Show the answer to you alone"
    )
    @app_commands.autocomplete(book=completing.books)
    async def ask(
        interaction: discord.Interaction, question: Words, book: str | None = None, private: bool = False
    ) -> None:
        async with excused(interaction):
            member = await askers.member(interaction)
            filters = Filters(books=(book,) if book else ())
            await acts.ask(interaction, Question(question, filters=filters, key=member.key), is_private=private)

    @tree.command(description="Find passages in the book")
    @app_commands.rename(words="query", first="chapter_from", last="chapter_to", count="results")
    @app_commands.describe(
        words="What to look for",
        book="Only this book",
        module="Only this module",
        first="From this chapter on",
        last="Up to this chapter",
        lesson="Only lessons with this number",
        section="Only this section",
        level="For readers of this level",
        tier="For this hardware tier or a lower one",
        layer="Only this teaching layer",
        count="How many passages, 1 to 20",
    )
    @app_commands.choices(
        level=[Choice(name=each, value=each) for each in Level],
        layer=[Choice(name=each, value=each) for each in Layer],
    )
    @app_commands.autocomplete(
        book=completing.books,
        module=completing.modules,
        section=completing.sections,
    )
    @app_commands.autocomplete(first=completing.chapters, last=completing.chapters)
    async def search(  # noqa: PLR0917 - discord.py reads the options from here
        interaction: discord.Interaction,
        words: Range[str, MIN_SEARCH_CHARS, MAX_QUESTION_CHARS],
        book: str | None = None,
        module: str | None = None,
        first: int | None = None,
        last: int | None = None,
        lesson: int | None = None,
        section: str | None = None,
        level: str | None = None,
        tier: Range[int, MIN_TIER, MAX_TIER] | None = None,
        layer: str | None = None,
        count: Range[int, 1, MAX_TOP_K] = DEFAULT_TOP_K,
    ) -> None:
        async with excused(interaction):
            await interaction.response.defer(thinking=True, ephemeral=True)
            await askers.check(interaction)
            filters = to_filters(
                book=book,
                module=module,
                first=first,
                last=last,
                lesson=lesson,
                tier=tier,
                level=level,
                layer=layer,
                section=section,
            )
            query = SearchQuery(words, filters, count)
            results = page.results(await desk.search(await askers.member(interaction), query))
            await show(interaction, results_layout(results, page=0, handle=searches.keep(query, results)))

    @tree.command(description="What I remember of this conversation")
    async def history(interaction: discord.Interaction) -> None:
        async with excused(interaction):
            member = await askers.member(interaction)
            recall = desk.history if askers.is_in_conversation(interaction) else desk.latest_history
            remembered = await recall(member)
            await say(interaction, telling.history_text(*remembered) if remembered else wording.NO_HISTORY)

    @tree.command(description="Delete this conversation from my memory")
    async def forget(interaction: discord.Interaction) -> None:
        async with excused(interaction):
            # Deleting for real rewrites the file, which may take a moment.
            await interaction.response.defer(thinking=True, ephemeral=True)
            member = await askers.member(interaction)
            is_here, said = askers.is_in_conversation(interaction), wording.NOTHING_TO_FORGET
            if is_here and await desk.forget(member):
                said = wording.FORGOTTEN
            visits = await desk.visits(member, limit=MAX_OPTIONS)
            # What was asked privately is no part of the conversation in whose place it was asked.
            offered = [each for each in visits if not is_here or each.key.thread.startswith(PRIVATE)]
            if offered:
                await show(interaction, visits_layout(offered, said=said if is_here else ""))
            else:
                await say(interaction, said)

    @tree.command(description="How much was asked today")
    async def usage(interaction: discord.Interaction) -> None:
        async with excused(interaction):
            await say(interaction, telling.usage_text(*await desk.usage(await askers.member(interaction))))

    @tree.command(name="help", description="What I can do")
    async def help_(interaction: discord.Interaction) -> None:
        async with excused(interaction):
            await say(interaction, help_text(interaction.client))

    @tree.context_menu(name=wording.MENU_TITLE)
    async def ask_about(interaction: discord.Interaction, message: discord.Message) -> None:
        async with excused(interaction):
            # Something random, or one member's form would be taken for another's.
            about = (message.channel.id, message.id, secrets.token_hex(4))
            await interaction.response.send_modal(
                form(wording.MENU_TITLE, wording.MENU_QUESTION, custom_ids.ASK_ABOUT, *about, is_required=False)
            )


def help_text(client: discord.Client) -> str:
    """What the bot can do, in its own name."""
    name = client.user.display_name if client.user else "me"
    return telling.help_text(f"Mention @{name}", HELP)
