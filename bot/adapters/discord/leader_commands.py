"""The slash commands that leaders use: books and the report."""

import asyncio

import discord
from discord import app_commands
from discord.app_commands import Range

from bot import telling, wording
from bot.adapters.discord.answering import excused, say
from bot.adapters.discord.askers import Askers
from bot.adapters.discord.completing import Completing
from bot.adapters.discord.place import is_private
from bot.adapters.discord.reading_layouts import text_layouts
from bot.desk import Desk
from bot.member import Member
from core.errors import LibraryError
from core.store.feedback import ReportedQuestion
from core.store.job import Job

WATCH_SECONDS = 600.0
"""How long progress is shown; the token of an interaction lives 15 minutes."""
LOOK_EVERY_SECONDS = 2.0


def add_leader_commands(
    tree: app_commands.CommandTree[discord.Client],
    *,
    desk: Desk,
    askers: Askers,
    completing: Completing,
    look_every_seconds: float = LOOK_EVERY_SECONDS,
) -> None:
    """Add /book to *tree*."""
    book = app_commands.Group(name="book", description="The books of this server (leaders)")

    @book.command(description="Add a book: a file or a link")
    @app_commands.describe(
        file="Markdown, text, HTML, EPUB, PDF, or a ZIP of them", link="Where the book is", title="What to call it"
    )
    async def add(
        interaction: discord.Interaction,
        file: discord.Attachment | None = None,
        link: str | None = None,
        title: Range[str, 1, 100] | None = None,
    ) -> None:
        async with excused(interaction):
            if (member := await _leader(interaction, askers)) is None:
                return
            await interaction.response.defer(thinking=True, ephemeral=True)
            if (file is None) == (link is None):
                raise LibraryError("Give me either a file or a link.", details={"field": "file"})
            if file is not None:
                job = await desk.add_file(member, file.filename, await file.read(), title=title)
            else:
                job = await desk.add_link(member, link or "", title=title)
            await watch(interaction, member, job, desk=desk, every_seconds=look_every_seconds)

    @book.command(name="list", description="The books that can be asked here")
    async def list_(interaction: discord.Interaction) -> None:
        async with excused(interaction):
            member = await askers.member(interaction)
            books = await desk.books(member)
            current = await desk.current_books(member) if books else ()
            await say(interaction, telling.books_text(books, current))

    @book.command(description="Choose the book that answers in this channel")
    @app_commands.describe(book="The book; leave it out for all books", everywhere="For the whole server")
    @app_commands.autocomplete(book=completing.books)
    async def use(interaction: discord.Interaction, book: str | None = None, everywhere: bool = False) -> None:
        async with excused(interaction):
            if (member := await _leader(interaction, askers)) is None:
                return
            chosen = await desk.use_book(member, book, is_for_group=everywhere)
            where = "on this server" if everywhere else "in this channel"
            told = f"**{chosen.title}** now answers {where}." if chosen else f"All books now answer {where}."
            await say(interaction, told, is_private=False)

    @book.command(description="How far the books have come")
    async def status(interaction: discord.Interaction) -> None:
        async with excused(interaction):
            if (member := await _leader(interaction, askers)) is None:
                return
            await interaction.response.defer(thinking=True, ephemeral=True)
            jobs = await desk.status(member)
            running = next((job for job in jobs if not job.status.is_over), None)
            if running is None:
                await say(interaction, telling.jobs_text(jobs))
            else:
                await watch(interaction, member, running, desk=desk, every_seconds=look_every_seconds)

    @book.command(description="Remove a book of this server")
    @app_commands.describe(book="The book to remove")
    @app_commands.autocomplete(book=completing.books)
    async def remove(interaction: discord.Interaction, book: str) -> None:
        async with excused(interaction):
            if (member := await _leader(interaction, askers)) is None:
                return
            await interaction.response.defer(thinking=True, ephemeral=True)
            removed = await desk.remove_book(member, book)
            await say(interaction, f"**{removed.title}** is removed.")

    tree.add_command(book)


def add_report_command(tree: app_commands.CommandTree[discord.Client], *, desk: Desk, askers: Askers) -> None:
    """Add /report to *tree*."""

    @tree.command(description="What the book did not answer (leaders)")
    @app_commands.describe(days="Of how many days")
    async def report(interaction: discord.Interaction, days: Range[int, 1, 365] = 7) -> None:
        async with excused(interaction):
            if (member := await _leader(interaction, askers)) is None:
                return

            async def is_closed(asked: ReportedQuestion) -> bool:
                return is_private(asked.channel, asked.thread) or not _may_see(interaction, asked)

            told = await desk.report(member, days=days, is_private=is_closed)
            await say(interaction, telling.report_text(told, place=lambda asked: _place(asked, interaction)))


async def _leader(interaction: discord.Interaction, askers: Askers) -> Member | None:
    """Who it is, if they lead; others are told that only leaders can do this."""
    member = await askers.member(interaction)
    if member.is_leader:
        return member
    await say(interaction, wording.LEADERS_ONLY)
    return None


def _may_see(interaction: discord.Interaction, asked: ReportedQuestion) -> bool:
    """Whether the leader may look into the place in which something was asked, a private thread too."""
    guild, leader = interaction.guild, interaction.user
    if guild is None or not isinstance(leader, discord.Member) or not asked.channel.isdigit():
        return False
    channel = guild.get_channel(int(asked.channel))
    if channel is None or not (may := channel.permissions_for(leader)).view_channel:
        return False
    thread = guild.get_thread(int(asked.thread)) if asked.thread.isdigit() else None
    return thread is None or not thread.is_private() or may.manage_threads or interaction.channel_id == thread.id


def _place(asked: ReportedQuestion, interaction: discord.Interaction) -> str:
    # Commands in a channel have no thread of their own; the channel is where they were asked.
    place = asked.thread if asked.thread.isdigit() else asked.channel
    return f"https://discord.com/channels/{interaction.guild_id}/{place}"


async def watch(
    interaction: discord.Interaction, member: Member, job: Job, *, desk: Desk, every_seconds: float
) -> None:
    """Show how a book is taken in until it is, editing one private message."""
    shown = ""
    rounds = int(WATCH_SECONDS / every_seconds)
    for _ in range(rounds):
        text = telling.job_text(job)
        if text != shown:
            await interaction.edit_original_response(view=text_layouts(text)[0])
            shown = text
        if job.status.is_over:
            return
        await asyncio.sleep(every_seconds)
        job = await desk.job(member, job.id)
