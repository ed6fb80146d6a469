"""What is suggested while a member types: books, modules, chapters and sections of this place."""

import discord
from discord.app_commands import Choice

from bot.adapters.discord.askers import Askers
from bot.desk import Desk
from bot.splitting import shortened
from core.store.library import SuggestKind

MAX_CHOICES = 25
MAX_NAME = 100


class Completing:
    """Suggestions from the books that the member's group may read, and no others."""

    def __init__(self, *, desk: Desk, askers: Askers) -> None:
        self._desk = desk
        self._askers = askers

    async def books(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        books = await self._desk.books(await self._askers.member(interaction))
        wanted = typed.casefold()
        fitting = [book for book in books if wanted in book.title.casefold() or wanted in book.id.casefold()]
        return [Choice(name=_name(book.title), value=book.id) for book in fitting[:MAX_CHOICES]]

    async def modules(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        found = await self._suggest(interaction, typed, SuggestKind.MODULE)
        return [Choice(name=_name(label), value=value) for value, label in found if len(value) <= MAX_NAME]

    async def chapters(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        found = await self._suggest(interaction, str(typed), SuggestKind.CHAPTER)
        numbers = {int(value): label for value, label in found}
        return [Choice(name=_name(label), value=number) for number, label in numbers.items()]

    async def sections(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """Lessons and the headings inside them; the choice is the lesson that has it."""
        member = await self._askers.member(interaction)
        found = await self._desk.sections(member, typed, _chosen_book(interaction))
        return [Choice(name=_name(label), value=lesson_id) for label, lesson_id in found[:MAX_CHOICES]]

    async def _suggest(
        self, interaction: discord.Interaction, typed: str, kind: SuggestKind
    ) -> list[tuple[str, str]]:
        member = await self._askers.member(interaction)
        found = await self._desk.suggest(member, typed, kind, _chosen_book(interaction))
        return [(each.value, each.label) for each in found][:MAX_CHOICES]


def _chosen_book(interaction: discord.Interaction) -> str | None:
    return getattr(interaction.namespace, "book", None)


def _name(label: str) -> str:
    return shortened(label, MAX_NAME) or "…"
