"""What members and leaders can ask for besides answers, the same on every platform."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol
from urllib.parse import urlsplit

from bot.answered import Answered
from bot.limits import Limits
from bot.member import Member
from bot.starting import Starting
from bot.uploads import Uploads, check_name, to_book_id
from core.errors import LibraryError, UnknownBook
from core.model import (
    Book,
    Chunk,
    Filters,
    Findings,
    Message,
    Question,
    SearchHit,
    SearchQuery,
    SearchResults,
    Session,
)
from core.store.feedback import Feedback, Report, ReportedQuestion, Verdict
from core.store.job import Job
from core.store.jobs import Jobs
from core.store.ledger import Ledger
from core.store.library import Library, Suggestion, SuggestKind
from core.store.places import Places, Visit
from core.store.sessions import Sessions
from core.store.uses import Usage, Uses


class Searcher(Protocol):
    """What finds passages: the retriever."""

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings: ...


class Desk:
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
        self.places = places
        self.starting = Starting(library=library, finder=searcher)
        self.answered = Answered(ledger=ledger, library=library)
        self._library = library
        self._sessions = sessions
        self._searcher = searcher
        self._jobs = jobs
        self._ledger = ledger
        self._uses = uses
        self._feedback = feedback
        self._limits = limits
        self._uploads = uploads

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

    async def _scope(self, member: Member, filters: Filters) -> Filters:
        session = await self._sessions.find(member.key) or _no_session(member)
        # The scope does not depend on the words.
        return await self._library.scope(Question("?", filters=filters, key=member.key), session)

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

    async def visits(self, member: Member, *, is_here_only: bool = True) -> list[Visit]:
        """The member's own latest conversations, newest first: in this channel, or anywhere."""
        channel = member.key.channel if is_here_only else None
        return await self.places.visits(member.group, member.id, channel=channel)

    async def starters(self, member: Member) -> list[str]:
        """Questions that the book here answers, to begin with; none where there is no book."""
        try:
            books = await self.current_books(member)
        except LibraryError:
            return []
        return await self.starting.questions(await self._library.book(books[0], group=member.group))

    # -- books ------------------------------------------------------------------------------------------------

    async def books(self, member: Member) -> list[Book]:
        return await self._library.books(group=member.group)

    async def current_books(self, member: Member) -> tuple[str, ...]:
        """The ids of the books that answers here come from.

        Raises:
            LibraryError: there is no book here yet.
        """
        return (await self._scope(member, Filters())).books

    async def use_book(self, member: Member, name: str | None, *, is_for_group: bool = False) -> Book | None:
        """Bind this channel, or the whole group, to one book; with None to all of them again.

        Raises:
            UnknownBook: there is no such book here.
        """
        book = await self._named(member, name) if name else None
        channel = None if is_for_group else member.key.channel
        await self._library.bind(member.group, channel, book.id if book else None)
        return book

    async def _named(self, member: Member, name: str) -> Book:
        scope = await self._scope(member, Filters(books=(name,)))
        return await self._library.book(scope.books[0], group=member.group)

    async def add_link(self, member: Member, link: str, *, title: str | None = None) -> Job:
        """Queue the ingestion of a book by its address.

        Raises:
            LibraryError: it is not a web address.
        """
        parts = urlsplit(link.strip())
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise LibraryError("A link to a book begins with https:// or http://.", details={"field": "link"})
        name = title or f"{parts.hostname}{parts.path}".strip("/")
        return await self._queue(member, to_book_id(name, member.group), link.strip(), name)

    async def add_file(self, member: Member, name: str, content: bytes, *, title: str | None = None) -> Job:
        """Store a file that a leader handed in, and queue its ingestion.

        Raises:
            LibraryError: no reader takes such a file.
        """
        shown = title or check_name(name).rpartition(".")[0].replace("_", " ")
        book_id = to_book_id(shown, member.group)
        path = await self._uploads.keep(book_id, name, content)
        return await self._queue(member, book_id, str(path), shown)

    async def _queue(self, member: Member, book_id: str, source: str, title: str) -> Job:
        return await self._jobs.create(
            book=book_id, source=source, group=member.group, requested_by=member.id, options={"title": title}
        )

    async def job(self, member: Member, job_id: int) -> Job:
        return await self._jobs.get(job_id, group=member.group)

    async def status(self, member: Member, *, limit: int = 5) -> list[Job]:
        """The group's latest ingestions, newest first."""
        return await self._jobs.list(group=member.group, limit=limit)

    async def remove_book(self, member: Member, name: str) -> Book:
        """Delete a book that belongs to the group.

        Raises:
            UnknownBook: there is no such book here.
            LibraryError: it is not the group's own.
        """
        book = await self._named(member, name)
        if book.group != member.group:
            raise LibraryError(f"“{book.title}” belongs to every group; only the operator can remove it.")
        await self._library.delete_book(book.id)
        return book

    # -- memory -----------------------------------------------------------------------------------------------

    async def history(self, member: Member) -> tuple[Session, Sequence[Message]] | None:
        """What is remembered of the conversation here."""
        session = await self._sessions.find(member.key)
        if session is None:
            return None
        return session, await self._sessions.messages(session.id, group=member.group)

    async def forget(self, member: Member) -> bool:
        """Delete the conversation here for real, from the ledger too; False if there was none."""
        emptied = await self.places.forget(member.key)
        session = await self._sessions.find(member.key)
        was_there = session is not None and await self._sessions.forget(session.id, group=member.group)
        return was_there or emptied > 0

    async def forget_session(self, session_id: str, *, group: str) -> bool:
        """The same by the session's id.

        Raises:
            UnknownSession: the group has no such session.
        """
        session = await self._sessions.get(session_id, group=group)
        await self.places.forget(session.key)
        return await self._sessions.forget(session_id, group=group)

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

    async def report(
        self, member: Member, *, days: int = 7, is_private: Callable[[ReportedQuestion], bool] = lambda _: False
    ) -> Report:
        """The group's unanswered and down-voted questions, without those that were asked privately."""
        report = await self._feedback.report(group=member.group, days=days)
        return replace(
            report,
            unanswered=tuple(each for each in report.unanswered if not is_private(each)),
            down_voted=tuple(each for each in report.down_voted if not is_private(each)),
        )


def _no_session(member: Member) -> Session:
    return Session(id="", key=member.key, book=None, model="", created_at="", updated_at="")
