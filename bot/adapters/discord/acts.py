"""What happens when a button is pressed, a source is chosen or a form is sent. All of it survives restarts."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import discord

from bot import wording
from bot.adapters.discord import custom_ids
from bot.adapters.discord.answering import excused, say, show
from bot.adapters.discord.askers import Askers
from bot.adapters.discord.custom_ids import from_custom_id
from bot.adapters.discord.forms import chosen_value, form, id_of, sent_text
from bot.adapters.discord.place import from_choice, private_key
from bot.adapters.discord.quoting import quote
from bot.adapters.discord.reading_layouts import passage_layout, results_layout
from bot.adapters.discord.searches import Searches, from_handle
from bot.desk import Desk
from bot.public_page import PublicPage
from bot.turns import Turns
from core.model import Question
from core.store.feedback import Verdict

Act = Callable[[discord.Interaction, str], Awaitable[None]]


class Acts:
    """Presses by what their ids say."""

    def __init__(self, *, turns: Turns, desk: Desk, askers: Askers, searches: Searches, page: PublicPage) -> None:
        self._page = page
        self._turns = turns
        self._desk = desk
        self._askers = askers
        self._searches = searches
        self._acts: Mapping[str, Act] = {
            custom_ids.UP: self.like,
            custom_ids.DOWN: self.dislike,
            custom_ids.WHY: self.explain,
            custom_ids.AGAIN: self.ask_again,
            custom_ids.STOP: self.stop,
            custom_ids.SOURCE: self.read,
            custom_ids.SOURCES: self.read_chosen,
            custom_ids.SHARE: self.share,
            custom_ids.PAGE: self.turn_page,
            custom_ids.ASK_ABOUT: self.ask_about,
            custom_ids.FORGET: self.forget_chosen,
        }

    async def take(self, interaction: discord.Interaction) -> None:
        """Do what a pressed button or a sent form asks for; others' are left alone."""
        if interaction.type not in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            return
        press = from_custom_id(id_of(interaction))
        act = self._acts.get(press.verb) if press else None
        if press is None or act is None:
            return
        async with excused(interaction):
            await act(interaction, press.about)

    async def like(self, interaction: discord.Interaction, nonce: str) -> None:
        await self._rate(interaction, nonce, Verdict.UP, wording.THANKS)

    async def dislike(self, interaction: discord.Interaction, nonce: str) -> None:
        """Store the verdict at once, then offer to say more."""
        member = await self._askers.member(interaction)
        if not await self._desk.rate(member, nonce, Verdict.DOWN):
            await say(interaction, wording.GONE)
            return
        await interaction.response.send_modal(
            form(wording.WHY_TITLE, wording.WHY_LABEL, custom_ids.WHY, nonce, is_required=False)
        )

    async def explain(self, interaction: discord.Interaction, about: str) -> None:
        nonce = about.partition(":")[0]
        await self._rate(interaction, nonce, Verdict.DOWN, wording.SORRY, comment=sent_text(interaction) or None)

    async def _rate(
        self,
        interaction: discord.Interaction,
        nonce: str,
        verdict: Verdict,
        thanks: str,
        comment: str | None = None,
    ) -> None:
        member = await self._askers.member(interaction)
        is_known = await self._desk.rate(member, nonce, verdict, comment)
        await say(interaction, thanks if is_known else wording.GONE)

    async def ask_again(self, interaction: discord.Interaction, nonce: str) -> None:
        member = await self._askers.member(interaction)
        question = await self._desk.answered.question(nonce, group=member.group)
        if question is None:
            await say(interaction, wording.GONE)
            return
        await self.ask(interaction, question)

    async def ask(self, interaction: discord.Interaction, question: Question, *, is_private: bool = False) -> None:
        """Have a question answered: stored first, acknowledged next."""
        await self._askers.check(interaction)
        member = await self._askers.member(interaction)
        if is_private:
            question = replace(question, key=private_key(question.key, interaction.id))
        incoming = self._askers.incoming(interaction, member, question, is_private=is_private)
        if await self._turns.receive(incoming):
            await interaction.response.defer(thinking=True, ephemeral=is_private)

    async def stop(self, interaction: discord.Interaction, nonce: str) -> None:
        member = await self._askers.member(interaction)
        turn = await self._desk.answered.turn(nonce, group=member.group)
        if turn is not None and turn.member_id != member.id and not member.is_leader:
            await say(interaction, wording.NOT_YOURS_TO_STOP)
        elif turn is None or not self._turns.stop(turn.event_id):
            await say(interaction, wording.NOTHING_TO_STOP)
        else:
            await interaction.response.defer()

    async def read_chosen(self, interaction: discord.Interaction, _: str) -> None:
        await self.read(interaction, chosen_value(interaction))

    async def read(self, interaction: discord.Interaction, chunk_id: str) -> None:
        """Show a passage to the member alone; turning its pages changes the message in place."""
        await self._askers.check(interaction)
        member = await self._askers.member(interaction)
        chunk = await self._desk.passage(member, chunk_id)
        if chunk is None:
            await say(interaction, wording.PASSAGE_GONE)
        elif _is_private_page(interaction):
            await interaction.response.edit_message(view=passage_layout(self._page.chunk(chunk)))
        else:
            await show(interaction, passage_layout(self._page.chunk(chunk)))

    async def share(self, interaction: discord.Interaction, chunk_id: str) -> None:
        await self._askers.check(interaction)
        member = await self._askers.member(interaction)
        chunk = await self._desk.passage(member, chunk_id)
        if chunk is None:
            await say(interaction, wording.PASSAGE_GONE)
            return
        layout = passage_layout(self._page.chunk(chunk), shared_by=member.name)
        await show(interaction, layout, is_private=False)

    async def turn_page(self, interaction: discord.Interaction, about: str) -> None:
        await self._askers.check(interaction)
        page, _, handle = about.partition(":")
        results = self._searches.get(handle)
        if results is not None:
            await interaction.response.edit_message(view=results_layout(results, page=int(page), handle=handle))
        elif (query := from_handle(handle)) is None:
            await say(interaction, wording.SEARCH_TOO_OLD)
        else:
            # The results are older than this process.
            await interaction.response.defer()
            member = await self._askers.member(interaction)
            results = self._page.results(await self._desk.search(member, query))
            self._searches.keep_as(handle, results)
            await interaction.edit_original_response(view=results_layout(results, page=int(page), handle=handle))

    async def forget_chosen(self, interaction: discord.Interaction, _: str) -> None:
        """Forget the conversation that was chosen from a list."""
        await interaction.response.defer(thinking=True, ephemeral=True)
        member = await self._askers.member(interaction)
        chosen = replace(member, key=from_choice(chosen_value(interaction), member.group))
        await say(interaction, wording.FORGOTTEN if await self._desk.forget(chosen) else wording.NOTHING_TO_FORGET)

    async def ask_about(self, interaction: discord.Interaction, about: str) -> None:
        """Answer a form's question about a message, which is read again: the form may be older than we are."""
        channel_id, message_id, *_ = about.split(":")
        member = await self._askers.member(interaction)
        place = interaction.client.get_partial_messageable(int(channel_id), guild_id=interaction.guild_id)
        target = await place.fetch_message(int(message_id))
        assert interaction.client.user is not None, "we are logged in"

        async def stored_answer(answer_id: int) -> str | None:
            return await self._desk.answered.text(str(answer_id), group=member.group)

        quoted = await quote(target, interaction.client.user, stored_answer)
        question = Question(
            sent_text(interaction) or wording.ABOUT_THIS,
            selected_text=quoted.text,
            selection=quoted.selection,
            key=member.key,
        )
        await self.ask(interaction, question)


def _is_private_page(interaction: discord.Interaction) -> bool:
    """Whether the button stands below a passage that only this member sees, and not below results or an answer."""
    message = interaction.message
    if message is None or not message.flags.ephemeral:
        return False
    sources = [each for each in _buttons(message.components) if each.startswith("fn:src:")]
    pages = [each for each in _buttons(message.components) if each.startswith("fn:page:")]
    shares = [each for each in _buttons(message.components) if each.startswith("fn:share:")]
    return len(shares) == 1 and len(sources) <= 2 and not pages


def _buttons(components: object) -> list[str]:
    found: list[str] = []
    for component in components if isinstance(components, list) else []:
        found += [component.custom_id or ""] if isinstance(component, discord.Button) else []
        found += _buttons(getattr(component, "children", None))
    return found
