"""Replies as Discord shows them: text with footnotes, sources, confidence and buttons, in parts it accepts."""

import discord
from discord import ui

from bot import wording
from bot.adapters.discord.custom_ids import AGAIN, DOWN, SOURCE, SOURCES, STOP, UP, to_custom_id, to_mark
from bot.markup import discord_link, escape_discord, to_discord
from bot.reply import Footnote, Pointer, Reply, ReplyKind
from bot.splitting import shortened, split, units
from bot.surface import Progress
from bot.telling import confidence_text, links_of, source_name, sources_of

MAX_TEXT = 3900
"""Discord takes 4000 characters of text in one message; a little is left for what it counts otherwise."""
MAX_STREAMED = 3500
MAX_SOURCE_BUTTONS = 5
MAX_OPTIONS = 25
MAX_LABEL = 90

ACCENTS = {"high": 0x3BA55D, "medium": 0x5865F2, "low": 0xFAA61A}
NOTICE_ACCENT = 0x747F8D


def reply_layouts(reply: Reply, nonce: str, *, addressed_to: str = "") -> list[ui.LayoutView]:
    """One layout per message, in order. *addressed_to* is a mention that goes before the text."""
    text = to_discord(reply.text, links_of(reply))
    if addressed_to:
        text = f"{addressed_to} {text}"
    tail = _tail(reply)
    parts = split(text, MAX_TEXT)
    if tail and units(parts[-1]) + units(tail) > MAX_TEXT:
        parts.append("")
    last = len(parts) - 1
    return [
        _layout(part, reply, nonce, number, tail=tail if number == last else "", is_last=number == last)
        for number, part in enumerate(parts)
    ]


def _layout(text: str, reply: Reply, nonce: str, number: int, *, tail: str, is_last: bool) -> ui.LayoutView:
    accent = ACCENTS.get(reply.confidence_level, NOTICE_ACCENT) if reply.footnotes else NOTICE_ACCENT
    body = ui.Container[ui.LayoutView](accent_colour=accent)
    body.add_item(ui.TextDisplay(text or tail, id=to_mark(nonce, number)))
    if text and tail:
        body.add_item(ui.Separator(spacing=discord.SeparatorSpacing.small))
        body.add_item(ui.TextDisplay(tail))
    layout = ui.LayoutView(timeout=None)
    layout.add_item(body)
    if is_last:
        for row in _rows(reply, nonce):
            body.add_item(row)
    return finished(layout)


def finished(layout: ui.LayoutView) -> ui.LayoutView:
    """The layout, told not to wait for presses: they are taken by what stands in their ids."""
    layout.stop()
    return layout


def _tail(reply: Reply) -> str:
    """Sources, where else to look, confidence and notes, in small print."""
    lines = [f"-# {marks} {_source(note)}" for marks, note in sources_of(reply)]
    if reply.nearest:
        lines.append("-# The nearest sections are:")
        for near in reply.nearest:
            lines.append(f"-# • {_source(near)}")
    if confidence := confidence_text(reply):
        lines.append(f"-# {confidence}")
    lines += [f"-# {escape_discord(note)}" for note in reply.notes]
    return "\n".join(lines)


def _source(note: Footnote | Pointer) -> str:
    return discord_link(shortened(source_name(note), MAX_LABEL), note.url)


def _rows(reply: Reply, nonce: str) -> list[ui.ActionRow[ui.LayoutView]]:
    rows: list[ui.ActionRow[ui.LayoutView]] = []
    cited = list({note.chunk_id: note for note in reversed(reply.footnotes)}.values())[::-1]
    if 0 < len(cited) <= MAX_SOURCE_BUTTONS:
        rows.append(ui.ActionRow(*(_source_button(note) for note in cited)))
    elif cited:
        rows.append(ui.ActionRow(_source_select(cited)))
    if reply.kind is not ReplyKind.NOTICE:
        rows.append(
            ui.ActionRow(
                button("👍", UP, nonce), button("👎", DOWN, nonce), button("Ask again", AGAIN, nonce, emoji="🔁")
            )
        )
    elif reply.code and reply.code != "invalid":
        rows.append(ui.ActionRow(button("Ask again", AGAIN, nonce, emoji="🔁")))
    return rows


def button(label: str, verb: str, *about: object, emoji: str | None = None) -> ui.Button[ui.LayoutView]:
    """A grey button; a label of one sign is shown as the sign alone."""
    is_sign = len(label) <= 2 and not label.isascii()
    return ui.Button(
        label=None if is_sign else label,
        emoji=label if is_sign else emoji,
        custom_id=to_custom_id(verb, *about),
        style=discord.ButtonStyle.secondary,
    )


def _source_button(note: Footnote) -> ui.Button[ui.LayoutView]:
    return button(f"Source {note.number}", SOURCE, note.chunk_id, emoji="📖")


def _source_select(notes: list[Footnote]) -> ui.Select[ui.LayoutView]:
    options = [
        discord.SelectOption(label=shortened(f"[{note.number}] {note.title}", 100), value=note.chunk_id)
        for note in notes[:MAX_OPTIONS]
    ]
    return ui.Select(custom_id=to_custom_id(SOURCES), placeholder="📖 Read a source …", options=options)


def progress_layout(progress: Progress, nonce: str) -> ui.LayoutView:
    """What a waiting member sees, with a way to stop it."""
    if progress.queue_place is not None:
        shown = f"⏳ {wording.queue_place(progress.queue_place)}"
    elif progress.text:
        shown = shortened(to_discord(progress.text), MAX_STREAMED) + " ▌"
    else:
        shown = f"⏳ {wording.STAGES[progress.stage]}" if progress.stage else "⏳ …"
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.TextDisplay(shown, id=to_mark(nonce, 0)))
    layout.add_item(ui.ActionRow(button("Stop", STOP, nonce, emoji="⏹️")))
    return finished(layout)
