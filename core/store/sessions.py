"""Conversations: opened, recalled, remembered and forgotten. No group ever reads another group's."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

from core.errors import UnknownBook, UnknownSession
from core.model import Answer, History, Message, Question, Retrieval, Session, SessionKey
from core.model.answer import utc_now
from core.model.limits import LIVE_WINDOW_MESSAGES, MAX_SUMMARY_CHARS, check_length
from core.store.conversation import append_turn
from core.store.database import Database, Transaction
from core.store.history import newest_within, to_turns
from core.store.moments import seconds_ago
from core.store.session_rows import to_message, to_retrieval, to_session

# The method `list` takes the name of the type inside the class.
Listed = list[Session]
Said = list[Message]
Searched = list[Retrieval]

_BY_KEY = "SELECT * FROM sessions WHERE platform = ? AND group_key = ? AND channel = ? AND thread = ?"
_MINE = "id = ? AND (? IS NULL OR group_key = ?)"


class Sessions:
    """Every session of every group. *group* None, where allowed, is the operator at this machine."""

    def __init__(self, database: Database, *, model: str, max_turns: int = 20, token_budget: int = 6000) -> None:
        self._database = database
        self._model = model
        self._max_turns = max_turns
        self._token_budget = token_budget

    async def open(self, question: Question) -> Session:
        """The session *question* goes on with, made if its place has none yet, and back from the archive.

        Raises:
            UnknownSession: the question names a session that its group does not have.
        """
        if question.session_id is not None:
            session = await self.get(question.session_id, group=question.key.group)
        else:
            session = await self.find(question.key) or await self._create(question.key)
        if session.is_archived:
            async with self._database.write() as transaction:
                await transaction.execute("UPDATE sessions SET archived = 0 WHERE id = ?", (session.id,))
            session = await self.get(session.id, group=question.key.group)
        return session

    async def find(self, key: SessionKey) -> Session | None:
        """The session held at *key*, or None."""
        row = await self._database.fetch_one(_BY_KEY, _values(key))
        return to_session(row) if row else None

    async def get(self, session_id: str, *, group: str | None) -> Session:
        """One session of *group*.

        Raises:
            UnknownSession: there is none, or it is another group's.
        """
        row = await self._database.fetch_one(
            f"SELECT * FROM sessions WHERE {_MINE}",  # noqa: S608 - no value is part of the text
            (session_id, group, group),
        )
        if row is None:
            raise UnknownSession(
                "There is no such conversation here; it may have been forgotten. Ask again to begin a new one.",
                details={"session_id": session_id},
            )
        return to_session(row)

    async def list(self, *, group: str | None, limit: int = 50) -> Listed:
        """The sessions of *group* in which something was answered, the latest first."""
        rows = await self._database.fetch_all(
            "SELECT * FROM sessions WHERE turn_count > 0 AND (? IS NULL OR group_key = ?) "
            "ORDER BY updated_at DESC, id LIMIT ?",
            (group, group, limit),
        )
        return [to_session(row) for row in rows]

    async def recall(self, session_id: str, *, apart_from: str | None = None) -> History:
        """What the next question needs to know: the live window, and the turns that fit the model.

        *apart_from* is the event that is being answered: an attempt that was cut short may have remembered it.

        Raises:
            UnknownSession: it was forgotten meanwhile.
        """
        session = await self.get(session_id, group=None)
        rows = await self._database.fetch_all(
            "SELECT * FROM messages WHERE session_id = ? AND archived = 0 ORDER BY position DESC LIMIT ?",
            (session_id, LIVE_WINDOW_MESSAGES),
        )
        said = [row for row in reversed(rows) if apart_from is None or row["event_id"] != apart_from]
        if len(said) < len(rows):
            session = replace(session, turn_count=session.turn_count - 1)
        messages = tuple(map(to_message, said))
        turns = newest_within(to_turns(messages), token_budget=self._token_budget, max_turns=self._max_turns)
        return History(session, messages, turns)

    async def messages(self, session_id: str, *, group: str | None) -> Said:
        """Everything said in a session of *group*, archived or not, oldest first."""
        await self.get(session_id, group=group)
        rows = await self._database.fetch_all(
            "SELECT * FROM messages WHERE session_id = ? ORDER BY position", (session_id,)
        )
        return [to_message(row) for row in rows]

    async def retrievals(self, session_id: str, *, group: str | None) -> Searched:
        """Every search made for a session of *group*, oldest first."""
        await self.get(session_id, group=group)
        rows = await self._database.fetch_all(
            "SELECT * FROM retrievals WHERE session_id = ? ORDER BY position", (session_id,)
        )
        return [to_retrieval(row) for row in rows]

    async def remember(
        self, session_id: str, *, question: Question, answer: Answer, retrievals: Sequence[Retrieval]
    ) -> bool:
        """Keep one turn, all of it or nothing; what was kept for the same event before is replaced.

        A session or a turn that was forgotten meanwhile stays forgotten: then this is False.
        """
        return await self._database.write_whole(
            lambda transaction: append_turn(transaction, session_id, question, answer, retrievals)
        )

    async def summarise(self, session_id: str, summary: str) -> None:
        """Keep *summary* as what the session has been about."""
        check_length("summary", summary, least=1, most=MAX_SUMMARY_CHARS)
        async with self._database.write() as transaction:
            await transaction.execute("UPDATE sessions SET topic_summary = ? WHERE id = ?", (summary, session_id))

    async def use_book(self, key: SessionKey, book: str | None) -> Session:
        """Let the session at *key* read *book* alone, or with None whatever its channel reads.

        Raises:
            UnknownBook: the key's group may not read it.
        """
        session = await self.find(key) or await self._create(key)
        async with self._database.write() as transaction:
            if book is not None:
                await _check_readable(transaction, book, key.group)
            await transaction.execute("UPDATE sessions SET book = ? WHERE id = ?", (book, session.id))
        return await self.get(session.id, group=key.group)

    async def forget(self, session_id: str, *, group: str | None) -> bool:
        """Delete a session of *group* and every word of it, from the file too. False if there was none."""
        async with self._database.write() as transaction:
            gone = await transaction.fetch_all(
                f"DELETE FROM sessions WHERE {_MINE} RETURNING id",  # noqa: S608 - no value is part of the text
                (session_id, group, group),
            )
        if gone:
            await self._database.scrub()
        return bool(gone)

    async def delete_before(self, moment: str) -> int:
        """Delete sessions that nobody wrote in since *moment*; says how many. The caller scrubs the file."""
        async with self._database.write() as transaction:
            gone = await transaction.fetch_all("DELETE FROM sessions WHERE updated_at < ? RETURNING id", (moment,))
        return len(gone)

    async def archive_idle(self, older_than_seconds: float = 3600) -> int:
        """Put sessions aside that nobody wrote in for so long; says how many. They come back when opened."""
        async with self._database.write() as transaction:
            rows = await transaction.fetch_all(
                "UPDATE sessions SET archived = 1 WHERE archived = 0 AND updated_at < ? RETURNING id",
                (seconds_ago(older_than_seconds),),
            )
        return len(rows)

    async def _create(self, key: SessionKey) -> Session:
        async def create(transaction: Transaction) -> Session:
            now = utc_now()
            # Another task may have made it since we looked.
            await transaction.execute(
                "INSERT INTO sessions (id, platform, group_key, channel, thread, model, created_at, updated_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (str(uuid4()), *_values(key), self._model, now, now),
            )
            row = await transaction.fetch_one(_BY_KEY, _values(key))
            assert row is not None
            return to_session(row)

        return await self._database.write_whole(create)


def _values(key: SessionKey) -> tuple[str, str, str, str]:
    return key.platform, key.group, key.channel, key.thread


async def _check_readable(transaction: Transaction, book: str, group: str) -> None:
    row = await transaction.fetch_one(
        "SELECT id FROM books WHERE id = ? AND (group_key IS NULL OR group_key = ?)", (book, group)
    )
    if row is None:
        raise UnknownBook(f"There is no book “{book}” here.", details={"book": book})
