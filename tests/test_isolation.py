"""Two study groups on one machine: every way from one into the other is tried, and none leads there."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.member import Member
from core.errors import FootnoteError, LibraryError, UnknownBook, UnknownSession
from core.model import Filters, Place, Question, SearchQuery, SessionKey
from core.store.feedback import Verdict
from core.store.library import SuggestKind
from core.store.sessions import Sessions
from tests.bot.adapters.web.site import WAIT, Site, open_site
from tests.bot.scripted import ScriptedAgent, ScriptedPlatform, to_answer, to_incoming
from tests.core.store.making import add_book, make_chunks, store_file

pytestmark = pytest.mark.asyncio(loop_scope="module")

OURS = SessionKey("discord", "discord:1", "c1", "t1")
THEIRS = SessionKey("discord", "discord:2", "c1", "t1")
OWNER = Member("ann", "Ann", OURS, is_leader=True)
THIEF = Member("eve", "Eve", THEIRS, is_leader=True)
SECRET = "quokka"
"""Stands in every word, name and address that belongs to the first group, and nowhere else."""
PLACE = Place(f"{SECRET}-book", f"{SECRET}-module", 1, 1)
TEXTS = [f"The {SECRET} is about nodes and topics.", f"A second passage on the {SECRET} and its habits."]
CHUNK = make_chunks(TEXTS, PLACE, source_file=f"{SECRET}.md")[0]


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything the first group has, and what is needed to try to get at it."""

    site: Site
    session_id: str
    event_id: str
    nonce: str
    request_id: str
    message_id: str
    job_id: int


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def machine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Machine]:
    folder: Path = tmp_path_factory.mktemp("machine")
    async with open_site(folder, ScriptedAgent(f"The {SECRET} says so [1].")) as site:
        yield await _filled(site)


async def _filled(site: Site) -> Machine:
    parts = site.parts
    await add_book(parts.library, "ros", title="A book for everyone")
    await store_file(parts.library, ["A node is a process in the graph."])
    await add_book(parts.library, PLACE.book, group=OURS.group, title=f"The {SECRET}")
    await store_file(parts.library, TEXTS, place=PLACE, source_file=f"{SECRET}.md")
    question = Question(f"What does the {SECRET} eat?", key=OURS)
    session = await parts.sessions.open(question)
    await parts.sessions.remember(session.id, question=question, answer=to_answer(f"{SECRET} [1]."), retrievals=())
    platform = ScriptedPlatform()
    parts.turns.register("discord", platform.open)
    await parts.turns.receive(to_incoming("discord:m:1", question.text, key=OURS))
    await asyncio.wait_for(parts.turns.wait_idle(), WAIT)
    turn = await parts.desk.answered.turn("discord:m:1", group=OURS.group)
    assert turn is not None
    assert turn.reply is not None
    await parts.desk.rate(OWNER, turn.nonce, Verdict.DOWN, f"the {SECRET} is wrong")
    job = await parts.desk.add_link(OWNER, f"https://{SECRET}.example/book")
    return Machine(
        site, session.id, turn.event_id, turn.nonce, str(turn.reply["request_id"]), turn.posted[0], job.id
    )


async def told(attempt: Awaitable[object]) -> str:
    """Everything an attempt gives away, also by failing."""
    try:
        return repr(await attempt)
    except FootnoteError as refused:
        return f"{refused.message} {json.dumps(refused.details, default=str)}"


Attempt = Callable[[Machine], Awaitable[object]]
BY_DESK: dict[str, Attempt] = {
    "books": lambda m: m.site.parts.desk.books(THIEF),
    "current books": lambda m: m.site.parts.desk.current_books(THIEF),
    "search": lambda m: m.site.parts.desk.search(THIEF, SearchQuery("nodes and topics")),
    "search by lesson": lambda m: m.site.parts.desk.search(
        THIEF, SearchQuery("nodes", Filters(parent_id=CHUNK.parent_id))
    ),
    "passage": lambda m: m.site.parts.desk.passage(THIEF, CHUNK.id),
    "suggestions": lambda m: m.site.parts.desk.suggest(THIEF, "q", SuggestKind.MODULE, None),
    "sections": lambda m: m.site.parts.desk.sections(THIEF, "", None),
    "starters": lambda m: m.site.parts.desk.starters(THIEF),
    "status": lambda m: m.site.parts.desk.status(THIEF),
    "job": lambda m: m.site.parts.desk.job(THIEF, m.job_id),
    "history": lambda m: m.site.parts.desk.history(THIEF),
    "visits": lambda m: m.site.parts.desk.visits(THIEF, is_here_only=False),
    "visits as the owner": lambda m: m.site.parts.desk.visits(Member(OWNER.id, "Ann", THEIRS), is_here_only=False),
    "report": lambda m: m.site.parts.desk.report(THIEF),
    "usage": lambda m: m.site.parts.desk.usage(THIEF),
    "an answer by its nonce": lambda m: m.site.parts.desk.answered.text(m.nonce, group=THIEF.group),
    "an answer by its event": lambda m: m.site.parts.desk.answered.turn(m.event_id, group=THIEF.group),
    "an answer by its message": lambda m: m.site.parts.desk.answered.question(m.message_id, group=THIEF.group),
    "an answer by its request": lambda m: m.site.parts.desk.answered.text(m.request_id, group=THIEF.group),
    "a place": lambda m: m.site.parts.desk.answered.place(m.nonce, group=THIEF.group),
    "the last source": lambda m: m.site.parts.desk.answered.last_source(THIEF, 1),
    "a session": lambda m: m.site.parts.sessions.get(m.session_id, group=THIEF.group),
    "a session's messages": lambda m: m.site.parts.sessions.messages(m.session_id, group=THIEF.group),
    "a session's searches": lambda m: m.site.parts.sessions.retrievals(m.session_id, group=THIEF.group),
    "sessions": lambda m: m.site.parts.sessions.list(group=THIEF.group),
    "a session to go on with": lambda m: m.site.parts.sessions.open(
        Question("And then?", session_id=m.session_id, key=THEIRS)
    ),
    "jobs": lambda m: m.site.parts.jobs.list(group=THIEF.group, book=f"{SECRET}-book"),
}


@pytest.mark.parametrize("attempt", BY_DESK.values(), ids=BY_DESK)
async def test_nothing_of_another_group_is_told(machine: Machine, attempt: Attempt) -> None:
    assert SECRET not in await told(attempt(machine))


@pytest.mark.parametrize(
    "name", [PLACE.book, f"The {SECRET}", f" the {SECRET.upper()} "], ids=["id", "title", "loosely"]
)
async def test_a_book_of_another_group_cannot_be_named(machine: Machine, name: str) -> None:
    desk = machine.site.parts.desk
    with pytest.raises(UnknownBook) as refused:
        await desk.search(THIEF, SearchQuery("nodes", Filters(books=(name,))))
    assert SECRET not in str(refused.value.details.get("books"))
    with pytest.raises(UnknownBook):
        await desk.use_book(THIEF, name)
    with pytest.raises(UnknownBook):
        await desk.remove_book(THIEF, name)
    with pytest.raises(UnknownBook):
        await machine.site.parts.sessions.use_book(THEIRS, PLACE.book)


async def test_nothing_of_another_group_can_be_changed(machine: Machine) -> None:
    parts = machine.site.parts

    assert not await parts.desk.rate(THIEF, machine.nonce, Verdict.UP)
    with pytest.raises(UnknownSession):
        await parts.desk.forget_session(machine.session_id, group=THIEF.group)
    assert not await parts.sessions.forget(machine.session_id, group=THIEF.group)
    await parts.desk.forget(THIEF)
    with pytest.raises(LibraryError):
        await parts.jobs.cancel(machine.job_id, group=THIEF.group)
    with pytest.raises(LibraryError):
        await add_book(parts.library, PLACE.book, group=THIEF.group)

    assert SECRET in repr(await parts.desk.history(OWNER))
    assert (await parts.desk.job(OWNER, machine.job_id)).book.startswith(SECRET)
    assert (await parts.desk.report(OWNER)).down_voted


BY_PAGE = {
    "books": "/api/books",
    "a book": f"/api/books/{PLACE.book}",
    "a passage": f"/api/passages/{CHUNK.id}",
    "reading": f"/read/{PLACE.book}/{PLACE.module}/1/1",
    "starters": f"/api/starters?book={PLACE.book}",
    "search": "/api/search?q=nodes%20and%20topics",
    "search in the book": f"/api/search?q=nodes&book={PLACE.book}",
    "search in the lesson": f"/api/search?q=nodes&parent_doc_id={CHUNK.parent_id}",
    "suggestions": f"/api/suggest?kind=module&prefix=q&book={PLACE.book}",
    "sessions": "/api/sessions",
    "a session": "/api/sessions/{session_id}",
    "jobs": "/api/jobs",
    "jobs of the book": f"/api/jobs?book={SECRET}",
    "a job": "/api/jobs/{job_id}",
    "the channel": "/api/channel",
    "metrics": "/metrics",
    "health": "/healthz",
}


@pytest.mark.parametrize("path", BY_PAGE.values(), ids=BY_PAGE)
async def test_the_page_shows_nothing_of_a_platforms_group(machine: Machine, path: str) -> None:
    address = path.format(session_id=machine.session_id, job_id=machine.job_id)

    async with machine.site.http.get(machine.site.url + address) as response:
        body = await response.text()

    # What was asked for may be repeated; the book's own words and names may not.
    assert response.status in (200, 404, 422)
    assert "habits" not in body
    assert f"The {SECRET}" not in body
    assert f"{SECRET}.example" not in body
    assert f"{SECRET} eat" not in body


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("POST", "/api/chat", {"question": "And then?", "session_id": "{session_id}"}, id="go on"),
        pytest.param("DELETE", "/api/sessions/{session_id}", None, id="forget"),
        pytest.param("POST", "/api/feedback", {"handle": "{nonce}", "verdict": "up"}, id="vote"),
        pytest.param("POST", "/api/jobs/{job_id}/cancel", None, id="cancel a job"),
        pytest.param("DELETE", f"/api/books/{PLACE.book}", None, id="remove the book"),
    ],
)
async def test_the_page_changes_nothing_of_a_platforms_group(
    machine: Machine, method: str, path: str, body: dict[str, object] | None
) -> None:
    names = {"session_id": machine.session_id, "nonce": machine.nonce, "job_id": machine.job_id}
    given = json.loads(
        json.dumps(body).replace("{session_id}", machine.session_id).replace("{nonce}", machine.nonce)
    )

    async with machine.site.http.request(method, machine.site.url + path.format(**names), json=given) as response:
        text = await response.text()

    assert response.status in (404, 422), text
    parts = machine.site.parts
    assert (await parts.sessions.get(machine.session_id, group=OURS.group)).turn_count == 1
    assert (await parts.jobs.get(machine.job_id, group=OURS.group)).completed_at is None
    assert await parts.desk.passage(OWNER, CHUNK.id) is not None


async def test_a_title_that_leads_to_another_groups_book_is_taken(machine: Machine) -> None:
    form = aiohttp.FormData({"title": PLACE.book.replace("-", " ")})
    form.add_field("files", b"# Mine\n\nAnother text altogether.", filename="mine.md")

    async with machine.site.http.post(f"{machine.site.url}/api/books", data=form) as response:
        told = await response.json()

    assert response.status == 422
    assert "choose another" in told["message"]
    assert not (machine.site.parts.settings.data_dir / "uploads" / PLACE.book).exists()


LINKS = [
    "/etc/passwd",
    "file:///etc/passwd",
    "../secrets.md",
    "~/.ssh/id_rsa",
    "C:\\secrets",
    "ftp://a/b",
    "http://",
    "",
]


@pytest.mark.parametrize("link", LINKS)
async def test_a_link_never_reads_this_machines_files(machine: Machine, link: str) -> None:
    before = len(await machine.site.parts.jobs.list())

    with pytest.raises(LibraryError):
        await machine.site.parts.desk.add_link(THIEF, link)

    assert len(await machine.site.parts.jobs.list()) == before


async def test_a_file_handed_in_stays_in_its_groups_folder(machine: Machine) -> None:
    desk, uploads = machine.site.parts.desk, machine.site.parts.settings.data_dir / "uploads"

    ours = await desk.add_file(OWNER, "../../etc/book.md", b"# Ours")
    theirs = await desk.add_file(THIEF, "book.md", b"# Theirs")

    assert Path(ours.source).parent != Path(theirs.source).parent
    assert ours.source == str(uploads / ours.book / "book.md")
    assert await asyncio.to_thread(Path(ours.source).read_bytes) == b"# Ours"


async def test_sessions_of_the_same_thread_number_are_two(machine: Machine) -> None:
    """Platforms number threads for themselves; two groups may well have the same number."""
    sessions: Sessions = machine.site.parts.sessions

    mine = await sessions.open(Question("Hello?", key=THEIRS))

    assert mine.id != machine.session_id
    assert mine.turn_count == 0
    with suppress(UnknownSession):
        await sessions.forget(mine.id, group=THEIRS.group)
