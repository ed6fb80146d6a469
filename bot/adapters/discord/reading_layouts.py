"""Passages, search results and conversations as Discord shows them, with buttons and lists."""

from collections.abc import Sequence

import discord
from discord import ui

from bot import wording
from bot.adapters.discord.custom_ids import FORGET, PAGE, SHARE, SOURCE, to_custom_id
from bot.adapters.discord.layouts import MAX_OPTIONS, NOTICE_ACCENT, button, finished
from bot.adapters.discord.place import to_choice
from bot.markup import discord_link, escape_discord, to_discord
from bot.splitting import shortened, split
from bot.telling import hit_place, results_head
from core.model import Chunk, SearchHit, SearchResults
from core.store.places import Visit

MAX_PASSAGE = 3400
MAX_EXCERPT = 420
HITS_PER_PAGE = 3
MAX_OPTION_CHARS = 100
"""Discord's limit for a line in a list."""


def text_layouts(markdown: str) -> list[ui.LayoutView]:
    """A text of ours, in as many messages as it needs."""
    return [plain_layout(part) for part in split(to_discord(markdown), MAX_PASSAGE)]


def plain_layout(text: str, *rows: ui.ActionRow[ui.LayoutView]) -> ui.LayoutView:
    """One framed text with buttons below."""
    layout = ui.LayoutView(timeout=None)
    body = ui.Container[ui.LayoutView](ui.TextDisplay(text), accent_colour=NOTICE_ACCENT)
    for row in rows:
        body.add_item(row)
    layout.add_item(body)
    return finished(layout)


def passage_layout(chunk: Chunk, *, shared_by: str = "") -> ui.LayoutView:
    """One passage to read; with previous and next where it is read alone, without where it is shared."""
    head = f"### {discord_link(shortened(chunk.page_title, 90), chunk.url)}\n-# {escape_discord(chunk.breadcrumb)}"
    shown = split(to_discord(chunk.text), MAX_PASSAGE)
    text = shown[0] + ("\n…" if len(shown) > 1 else "")
    tail = f"\n-# {wording.SHARED_BY.format(name=escape_discord(shared_by))}" if shared_by else ""
    if shared_by:
        return plain_layout(f"{head}\n{text}{tail}")
    return plain_layout(f"{head}\n{text}", ui.ActionRow(*_turning(chunk)))


def _turning(chunk: Chunk) -> list[ui.Button[ui.LayoutView]]:
    buttons = []
    if chunk.previous_id:
        buttons.append(button("Previous", SOURCE, chunk.previous_id, emoji="◀️"))
    if chunk.next_id:
        buttons.append(button("Next", SOURCE, chunk.next_id, emoji="▶️"))
    return [*buttons, button("Share", SHARE, chunk.id, emoji="📣")]


def visits_layout(visits: Sequence[Visit], *, said: str = "") -> ui.LayoutView:
    """Conversations that a member may have us forget; *said* goes before them."""
    options = [
        discord.SelectOption(
            label=shortened(" ".join(visit.first_words.split()), MAX_OPTION_CHARS),
            description=visit.asked_at[:10],
            value=to_choice(visit.key),
        )
        for visit in visits[:MAX_OPTIONS]
    ]
    chosen: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=to_custom_id(FORGET), placeholder="Choose one …", options=options
    )
    return plain_layout(f"{said}\n\n**{wording.WHICH_TO_FORGET}**".strip(), ui.ActionRow(chosen))


def results_layout(results: SearchResults, *, page: int, handle: str) -> ui.LayoutView:
    """One page of what was found: the last one if there is no such page any more."""
    layout = ui.LayoutView(timeout=None)
    body = ui.Container[ui.LayoutView](
        ui.TextDisplay(to_discord(results_head(results))), accent_colour=NOTICE_ACCENT
    )
    pages = (len(results.hits) + HITS_PER_PAGE - 1) // HITS_PER_PAGE
    page = max(0, min(page, pages - 1))
    first = page * HITS_PER_PAGE
    for number, hit in enumerate(results.hits[first : first + HITS_PER_PAGE], first + 1):
        body.add_item(ui.Separator(spacing=discord.SeparatorSpacing.small))
        body.add_item(ui.TextDisplay(_hit_text(number, hit)))
        read, share = (
            button("Read", SOURCE, hit.chunk.id, emoji="📖"),
            button("Share", SHARE, hit.chunk.id, emoji="📣"),
        )
        body.add_item(ui.ActionRow(read, share))
    if pages > 1:
        body.add_item(ui.Separator())
        body.add_item(ui.ActionRow(*_paging(page, pages, handle)))
    layout.add_item(body)
    return finished(layout)


def _hit_text(number: int, hit: SearchHit) -> str:
    place = discord_link(shortened(hit_place(hit), 120), hit.chunk.url)
    excerpt = to_discord(shortened(hit.chunk.text.strip(), MAX_EXCERPT))
    return f"**{number}.** {place} · {round(hit.score * 100)} %\n{split(excerpt, 900)[0]}"


def _paging(page: int, pages: int, handle: str) -> list[ui.Button[ui.LayoutView]]:
    back, on = (
        button("Back", PAGE, page - 1, handle, emoji="◀️"),
        button("More", PAGE, page + 1, handle, emoji="▶️"),
    )
    back.disabled, on.disabled = page == 0, page == pages - 1
    return [back, on]
