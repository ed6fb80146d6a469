"""The message that a member replies to, and what it replies to in turn: the selected text."""

from collections.abc import Awaitable, Callable

import discord

from bot import wording
from bot.adapters.discord.words import text_of
from bot.heard import Quoted
from bot.splitting import shortened
from core.model import Selection
from core.model.limits import MAX_SELECTED_CHARS

MAX_CHAIN = 5
"""How many messages back a chain of replies is followed."""
MAX_ATTACHMENT_BYTES = 100_000

StoredAnswer = Callable[[int], Awaitable[str | None]]
"""The text of an answer of ours by the id of a message that shows it."""


async def quoted_by(message: discord.Message, me: discord.ClientUser, stored_answer: StoredAnswer) -> Quoted:
    """What *message* replies to, with the earlier parts of the chain as far as there is room."""
    if message.reference is None or message.type is not discord.MessageType.reply:
        return Quoted()
    target = await _referenced(message)
    if target is None:
        return Quoted(notes=(wording.QUOTE_GONE,))
    return await quote(target, me, stored_answer)


async def quote(target: discord.Message, me: discord.ClientUser, stored_answer: StoredAnswer) -> Quoted:
    """A message as selected text: its words, its readable attachments, and the chain it stands in."""
    own = await stored_answer(target.id) if target.author.id == me.id else None
    selection = Selection.OWN_ANSWER if target.author.id == me.id else Selection.MESSAGE
    text, notes = await _read(target)
    if own is not None:
        text = own
    if not text:
        return Quoted(notes=(wording.QUOTE_EMPTY, *notes))
    text = shortened(text, MAX_SELECTED_CHARS)
    earlier = [] if own is not None else await _earlier(target)
    return Quoted(_chained(text, earlier), selection, notes)


def _chained(text: str, earlier: list[str]) -> str:
    """The chain oldest first, without the oldest ones that do not fit."""
    kept = text
    for words in earlier:
        longer = f"{words}\n\n{kept}"
        if len(longer) > MAX_SELECTED_CHARS:
            break
        kept = longer
    return kept


async def _earlier(message: discord.Message) -> list[str]:
    """What the message answered, and what that answered, newest first."""
    found: list[str] = []
    current = message
    while len(found) < MAX_CHAIN and current.reference is not None:
        before = await _referenced(current)
        if before is None:
            break
        if words := text_of(before):
            found.append(words)
        current = before
    return found


async def _referenced(message: discord.Message) -> discord.Message | None:
    reference = message.reference
    if reference is None or reference.message_id is None:
        return None
    if isinstance(reference.resolved, discord.DeletedReferencedMessage):
        return None
    if isinstance(reference.resolved, discord.Message) and _has_words(reference.resolved):
        return reference.resolved
    try:
        return await message.channel.fetch_message(reference.message_id)
    except (discord.NotFound, discord.Forbidden):
        return None


def _has_words(message: discord.Message) -> bool:
    """Whether Discord sent the words along; without the intent it leaves them out of replies."""
    return bool(message.content or message.embeds or message.components or message.attachments)


async def _read(message: discord.Message) -> tuple[str, tuple[str, ...]]:
    """The words of a message and of its text attachments, and what could not be read."""
    parts, notes = [text_of(message)], []
    for attachment in message.attachments:
        is_text = (attachment.content_type or "").startswith("text/") or attachment.filename.endswith(
            (".md", ".txt")
        )
        if not is_text:
            continue
        if attachment.size > MAX_ATTACHMENT_BYTES:
            notes.append(wording.ATTACHMENT_TOO_LONG.format(name=attachment.filename))
            continue
        try:
            content = (await attachment.read()).decode("utf-8", errors="replace")
        except discord.HTTPException:
            notes.append(wording.ATTACHMENT_GONE.format(name=attachment.filename))
            continue
        if len(content) > MAX_SELECTED_CHARS:
            notes.append(wording.ATTACHMENT_TOO_LONG.format(name=attachment.filename))
            content = shortened(content, MAX_SELECTED_CHARS // 2)
        parts.append(content)
    return "\n\n".join(part for part in parts if part).strip(), tuple(notes)
