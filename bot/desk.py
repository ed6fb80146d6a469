"""What members and leaders can ask for besides answers, the same on every platform."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from bot.answered import Answered
from bot.limits import Limits
from bot.member import Member
from bot.shelves import Shelves
from bot.starting import Starting
from bot.uploads import Uploads
from core.errors import LibraryError, UnknownBook
from core.model import (
    Chunk,
    Filters,
    Findings,
    Message,
    SearchHit,
    SearchQuery,
    SearchResults,
    Session,
)
from core.store.feedback import Feedback, IsPrivate, Report, Verdict
from core.store.jobs import Jobs
from core.store.ledger import Ledger
from core.store.library import Library, Suggestion, SuggestKind
from core.store.places import Places, Visit
from core.store.sessions import Sessions
from core.store.uses import Usage, Uses


class Searcher(Protocol):
    """What finds passages: the retriever."""

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings: ...


class Desk(Shelves):
    """Commands by what they do, each already narrowed to the member's own group. Permissions are the adapter's."""

    def __init__(
        self,
        *,
        library: Library,
        sessions: Sessions,
        searcher: Searcher,
        jobs: Jobs,
        ledger: Ledger,
        places: Places,
        uses: Uses,
        feedback: Feedback,
        limits: Limits,
        uploads: Uploads,
    ) -> None:
        super().__init__(library=library, sessions=sessions, jobs=jobs, uploads=uploads)
        self.places = places
        self.starting = Starting(library=library, finder=searcher)
        self.answered = Answered(ledger=ledger, library=library)
        self._searcher = searcher
        self._ledger = ledger
        self._uses = uses
        self._feedback = feedback
        self._limits = limits

    # -- reading ----------------------------------------------------------------------------------------------

    async def search(self, member: Member, query: SearchQuery) -> SearchResults:
        """Passages for a member's words, from the books of this place.

        Raises:
            RateLimited: the member or the group searched too much.
            UnknownBook: a book was named that the group does not have.
            LibraryError: there is no book here yet.
        """
        await self._limits.check_search(group=member.group, member_id=member.id)
        scope = await self._scope(member, query.filters)
        found = await self._searcher.search(query.text, scope, limit=query.limit)
        hits = tuple(SearchHit(each.chunk, each.score) for each in found.chunks)
        return SearchResults(query.text, hits, found.total_found, query.filters)

    async def suggest(self, member: Member, typed: str, kind: SuggestKind, book: str | None) -> list[Suggestion]:
        """Modules, chapters, lessons or sections that fit what is typed so far; none where there is no book."""
        try:
            scope = await self._scope(member, Filters(books=(book,) if book else ()))
        except (LibraryError, UnknownBook):
            return []
        return await self._library.suggest(typed, books=scope.books, kind=kind)

    async def sections(self, member: Member, typed: str, book: str | None) -> list[tuple[str, str]]:
        """Lessons and headings that fit what is typed so far: their names, and the lesson's id."""
        try:
            scope = await self._scope(member, Filters(books=(book,) if book else ()))
        except (LibraryError, UnknownBook):
            return []
        lessons = [lesson for each in scope.books for lesson in await self._library.outline(each)]
        names = [(lesson.title, lesson.parent_id) for lesson in lessons]
        names += [(f"{lesson.title} › {each}", lesson.parent_id) for lesson in lessons for each in lesson.sections]
        return [name for name in names if typed.casefold() in name[0].casefold()]

    async def passage(self, member: Member, chunk_id: str) -> Chunk | None:
        """A source to read, which knows its neighbours; None if it is gone or another group's."""
        return await self._library.chunk(chunk_id, group=member.group)

    async def visits(self, member: Member, *, is_here_only: bool = True, limit: int = 5) -> list[Visit]:
        """The member's own latest conversations, newest first: in this channel, or anywhere."""
        channel = member.key.channel if is_here_only else None
        return await self.places.visits(member.group, member.id, channel=channel, limit=limit)

    async def starters(self, member: Member) -> list[str]:
        """Questions that the book here answers, to begin with; none where there is no book."""
        try:
            books = await self.current_books(member)
        except LibraryError:
            return []
        return await self.starting.questions(await self._library.book(books[0], group=member.group))

    # -- memory -----------------------------------------------------------------------------------------------

    async def history(self, member: Member) -> tuple[Session, Sequence[Message]] | None:
        """What is remembered of the conversation here."""
        session = await self._sessions.find(member.key)
        if session is None:
            return None
        return session, await self._sessions.messages(session.id, group=member.group)

    async def latest_history(self, member: Member) -> tuple[Session, Sequence[Message]] | None:
        """What is remembered of the member's own latest conversation in this channel."""
        for visit in await self.visits(member):
            if (found := await self.history(replace(member, key=visit.key))) is not None:
                return found
        return None

    async def forget(self, member: Member) -> bool:
        """Delete the conversation here for real, from the ledger too; False if there was none."""
        emptied = await self.places.forget(member.key)
        session = await self._sessions.find(member.key)
        was_there = session is not None and await self._sessions.forget(session.id, group=member.group)
        # What was never answered has no session, but its words stood in the ledger.
        await self.places.scrub_if_owed()
        return was_there or emptied > 0

    async def forget_session(self, session_id: str, *, group: str) -> bool:
        """The same by the session's id.

        Raises:
            UnknownSession: the group has no such session.
        """
        session = await self._sessions.get(session_id, group=group)
        await self.places.forget(session.key)
        was_there = await self._sessions.forget(session_id, group=group)
        await self.places.scrub_if_owed()
        return was_there

    # -- verdicts and numbers -----------------------------------------------------------------------------------

    async def rate(self, member: Member, handle: str, verdict: Verdict, comment: str | None = None) -> bool:
        """Store what a member thinks of an answer, named by its event, nonce, request or message id.

        False if the group has no such answer any more.
        """
        turn = await self._ledger.find(handle, group=member.group)
        if turn is None:
            return False
        await self._feedback.give(turn.id, member_id=member.id, verdict=verdict, comment=comment)
        return True

    async def usage(self, member: Member) -> tuple[Usage, Usage]:
        """What the member and the whole group used today."""
        mine = await self._uses.today(group=member.group, member_id=member.id)
        return mine, await self._uses.today(group=member.group)

    async def report(self, member: Member, *, days: int = 7, is_private: IsPrivate | None = None) -> Report:
        """The group's unanswered and down-voted questions, without those that were asked privately."""
        return await self._feedback.report(group=member.group, days=days, is_private=is_private)
