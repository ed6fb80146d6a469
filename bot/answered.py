"""What was answered before, found again by a button, a message or its place."""

from bot.member import Member
from bot.reply import Reply
from core.model import Chunk, Question, SessionKey
from core.store.ledger import Ledger
from core.store.library import Library
from core.store.turn import StoredTurn


class Answered:
    """Earlier turns of a group. A handle is an event id, a nonce, a request id or the id of a message."""

    def __init__(self, *, ledger: Ledger, library: Library) -> None:
        self._ledger = ledger
        self._library = library

    async def turn(self, handle: str, *, group: str) -> StoredTurn | None:
        """The turn itself; None if the group has none like it, or it was forgotten."""
        return await self._ledger.find(handle, group=group)

    async def text(self, handle: str, *, group: str) -> str | None:
        """The words of an answer, as they were before any platform's markup."""
        turn = await self._ledger.find(handle, group=group)
        text = turn.reply.get("text") if turn is not None and turn.reply is not None else None
        return str(text) if text else None

    async def question(self, handle: str, *, group: str) -> Question | None:
        """What was asked, to be asked again."""
        turn = await self._ledger.find(handle, group=group)
        return turn.question if turn is not None else None

    async def place(self, handle: str, *, group: str) -> SessionKey | None:
        """The conversation that an answer belongs to."""
        question = await self.question(handle, group=group)
        return question.key if question else None

    async def last_source(self, member: Member, number: int) -> Chunk | None:
        """What footnote *number* of the last answer in the member's place leads to."""
        turn = await self._ledger.latest_answer(member.key)
        if turn is None or turn.reply is None:
            return None
        footnotes = Reply.from_dict(turn.reply).footnotes
        chunk_id = next((note.chunk_id for note in footnotes if note.number == number), None)
        return await self._library.chunk(chunk_id, group=member.group) if chunk_id else None
