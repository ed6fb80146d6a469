"""The books of a group: which there are, which answer where, and how they come and go."""

from urllib.parse import urlsplit

from bot.member import Member
from bot.uploads import Uploads, check_name, to_book_id
from core.errors import LibraryError
from core.model import Book, Filters, Question, Session
from core.store.job import Job
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.sessions import Sessions


class Shelves:
    """Books by what leaders and members do with them, each already narrowed to the member's own group."""

    def __init__(self, *, library: Library, sessions: Sessions, jobs: Jobs, uploads: Uploads) -> None:
        self._library = library
        self._sessions = sessions
        self._jobs = jobs
        self._uploads = uploads

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

    async def _scope(self, member: Member, filters: Filters) -> Filters:
        session = await self._sessions.find(member.key) or _no_session(member)
        # The scope does not depend on the words.
        return await self._library.scope(Question("?", filters=filters, key=member.key), session)


def _no_session(member: Member) -> Session:
    return Session(id="", key=member.key, book=None, model="", created_at="", updated_at="")
