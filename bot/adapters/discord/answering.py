"""Replies to interactions that are no turns: private, at once, and never without a word."""

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
from discord import ui

from bot import wording
from bot.adapters.discord.reading_layouts import text_layouts
from core.errors import FootnoteError, QuestionError, RateLimited

log = logging.getLogger(__name__)
_FILLED = "filled"
QUIET = discord.AllowedMentions.none()


async def say(interaction: discord.Interaction, markdown: str, *, is_private: bool = True) -> None:
    """Answer with a text of ours, in as many messages as it needs."""
    for layout in text_layouts(markdown):
        await show(interaction, layout, is_private=is_private)


async def show(interaction: discord.Interaction, layout: ui.LayoutView, *, is_private: bool = True) -> None:
    """Answer, or follow up where the answer was given or promised already."""
    if not interaction.response.is_done():
        await interaction.response.send_message(view=layout, ephemeral=is_private, allowed_mentions=QUIET)
    elif _is_thinking(interaction):
        # A follow-up would fill in for "thinking …" and ignore whether it is private.
        interaction.extras[_FILLED] = True
        await interaction.edit_original_response(view=layout, allowed_mentions=QUIET)
    else:
        await interaction.followup.send(view=layout, ephemeral=is_private, allowed_mentions=QUIET)


def _is_thinking(interaction: discord.Interaction) -> bool:
    has_promised = interaction.response.type is discord.InteractionResponseType.deferred_channel_message
    return has_promised and not interaction.extras.get(_FILLED)


@asynccontextmanager
async def excused(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Tell the member in a sentence what went wrong inside the block."""
    try:
        yield
    except discord.HTTPException:
        # Discord did not take the answer itself: nothing can be told any more.
        log.warning("an interaction could not be answered", exc_info=True)
    except Exception as error:
        reference = secrets.token_hex(3)
        if not isinstance(error, QuestionError | RateLimited):
            is_known = isinstance(error, FootnoteError)
            log.warning("a command failed: %s", error, exc_info=not is_known, extra={"reference": reference})
        try:
            await say(interaction, wording.for_error(error, reference=reference))
        except discord.HTTPException:
            log.warning("an interaction could not be excused", extra={"reference": reference})
