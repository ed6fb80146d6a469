"""What is done now and then, on the real core: archiving, and deleting what is too old to keep."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ServiceDown, UnknownSession
from core.model import Question, SessionKey
from core.store.feedback import Verdict
from core.store.moments import seconds_ago
from core.store.places import Places
from core.upkeep import DeleteBefore, Upkeep
from core.wiring import Core, open_core
from tests.bot.cli.tiny import quick
from tests.bot.scripted import to_answer, to_incoming

DAY = 86_400
KEY = SessionKey("test", "test:1", "c1", "t1")


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    async with open_core(replace(quick(tmp_path), keep_days=30)) as opened:
        yield opened


async def converse(core: Core, words: str, *, age_seconds: float, key: SessionKey = KEY) -> str:
    """A question with its answer and a verdict, all *age_seconds* old; the session's id."""
    question = Question(words, key=key)
    session = await core.sessions.open(question)
    await core.sessions.remember(session.id, question=question, answer=to_answer(f"{words} [1]"), retrievals=())
    turn = await core.ledger.receive(to_incoming(f"test:{words}", words, key=key).to_new_turn())
    assert turn is not None
    await core.feedback.give(turn.id, member_id="ann", verdict=Verdict.DOWN, comment=words)
    await core.ledger.done(turn.id)
    async with core.database.write() as tx:
        old, moment = time.time() - age_seconds, seconds_ago(age_seconds)
        await tx.execute("UPDATE sessions SET updated_at = ? WHERE id = ?", (moment, session.id))
        await tx.execute("UPDATE turns SET received_at = ?, finished_at = ? WHERE id = ?", (old, old, turn.id))
        await tx.execute("UPDATE uses SET at = ?", (old,))
    return session.id


class Times:
    """A clock that can be set, and a timer that only goes on."""

    def __init__(self) -> None:
        self.clock, self.timer = time.time(), 0.0

    def go_on(self, seconds: float) -> None:
        self.clock += seconds
        self.timer += seconds

    def upkeep(self, core: Core, *, beside: Sequence[DeleteBefore] = ()) -> Upkeep:
        return Upkeep(core, beside=beside, clock=lambda: self.clock, timer=lambda: self.timer)


async def rewrites_of(core: Core) -> list[str]:
    """Grows by one each time that the file is rewritten."""
    rewrites: list[str] = []

    def note(statement: str) -> None:
        if statement == "VACUUM":
            rewrites.append(statement)

    await core.database._writer.do(lambda connection: connection.set_trace_callback(note))
    return rewrites


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_session_idle_for_an_hour_is_archived_and_comes_back_whole(core: Core) -> None:
    idle = await converse(core, "Something asked two hours ago", age_seconds=7200)
    fresh = await converse(core, "Something asked just now", age_seconds=60, key=replace(KEY, thread="t2"))

    await Upkeep(core).go_round()

    assert (await core.sessions.get(idle, group=KEY.group)).is_archived
    assert not (await core.sessions.get(fresh, group=KEY.group)).is_archived
    back = await core.sessions.open(Question("And now?", key=KEY))
    assert (back.id, back.is_archived) == (idle, False)
    assert len((await core.sessions.recall(idle)).turns) == 1


async def test_what_is_older_than_the_operator_keeps_is_in_no_file_any_more(core: Core, tmp_path: Path) -> None:
    await converse(core, "Whatabouttheoldquokka", age_seconds=31 * DAY)
    await converse(core, "Whatabouttheyoungwombat", age_seconds=DAY, key=replace(KEY, thread="t2"))

    await Upkeep(core).go_round()

    written = await asyncio.to_thread(everything_in, tmp_path)
    assert b"quokka" not in written
    assert b"wombat" in written
    assert (await core.feedback.report(group=KEY.group, days=60)).down_voted


async def test_an_old_turn_without_a_session_is_in_no_file_any_more_either(core: Core, tmp_path: Path) -> None:
    await converse(core, "Whatabouttheoldquokka", age_seconds=31 * DAY)
    async with core.database.write() as tx:
        await tx.execute("DELETE FROM sessions")

    await Upkeep(core).go_round()

    assert b"quokka" not in await asyncio.to_thread(everything_in, tmp_path)


async def test_the_file_is_rewritten_at_most_once_an_hour_and_once_for_all_that_is_deleted(core: Core) -> None:
    times, posts = Times(), [3, 3]

    async def delete_posts(moment: str) -> int:
        return posts.pop()

    upkeep, rewrites = times.upkeep(core, beside=[delete_posts]), await rewrites_of(core)
    counts = []
    for minute in range(62):
        await converse(core, f"An old question {minute}", age_seconds=31 * DAY)
        await upkeep.go_round()
        counts.append(len(rewrites))
        times.go_on(60)

    assert counts == [1] * 60 + [2] * 2
    assert posts == []


async def test_a_rewrite_that_failed_is_made_up_for_though_nothing_more_is_deleted(
    core: Core, tmp_path: Path
) -> None:
    times, faults = Times(), ["PRAGMA query_only = 1", "PRAGMA query_only = 0"]

    async def forbid_writing_once(moment: str) -> int:
        await core.database.write_one(faults.pop(0))
        return 0

    upkeep = times.upkeep(core, beside=[forbid_writing_once])
    await converse(core, "Whatabouttheoldquokka", age_seconds=31 * DAY)
    with pytest.raises(ServiceDown):
        await upkeep.go_round()
    await core.database.write_one("PRAGMA query_only = 0")
    rewrites = await rewrites_of(core)
    times.go_on(3600)
    await upkeep.go_round()

    assert len(rewrites) == 1
    assert b"quokka" not in await asyncio.to_thread(everything_in, tmp_path)


async def test_a_clock_that_jumps_on_deletes_nothing_while_it_may_be_wrong(core: Core) -> None:
    times = Times()
    upkeep = times.upkeep(core)
    kept = await converse(core, "Asked yesterday", age_seconds=DAY)
    await upkeep.go_round()

    times.clock += 400 * DAY
    for _ in range(59):
        times.go_on(60)
        await upkeep.go_round()
    times.clock -= 400 * DAY
    times.go_on(3600)
    await upkeep.go_round()

    assert (await core.sessions.get(kept, group=KEY.group)).id == kept


async def test_a_clock_that_stays_where_it_jumped_to_is_believed(core: Core) -> None:
    times = Times()
    upkeep = times.upkeep(core)
    old = await converse(core, "Asked yesterday", age_seconds=DAY)

    times.clock += 400 * DAY
    await upkeep.go_round()
    times.go_on(3600)
    await upkeep.go_round()

    with pytest.raises(UnknownSession):
        await core.sessions.get(old, group=KEY.group)


async def test_a_turn_forgotten_before_it_was_answered_is_in_no_file_after_the_next_round(
    core: Core, tmp_path: Path
) -> None:
    turn = await core.ledger.receive(to_incoming("e1", "Whatabouttheshyquokka", key=KEY).to_new_turn())
    assert turn is not None
    await Places(core.database).forget(KEY)
    await core.ledger.done(turn.id)
    assert b"quokka" in await asyncio.to_thread(everything_in, tmp_path)

    await Upkeep(core).go_round()

    assert b"quokka" not in await asyncio.to_thread(everything_in, tmp_path)


async def test_words_that_a_reader_kept_in_the_file_are_gone_after_the_next_round(
    core: Core, tmp_path: Path
) -> None:
    question = Question("Whatabouttheshyquokka", key=KEY)
    session = await core.sessions.open(question)
    await core.sessions.remember(session.id, question=question, answer=to_answer("Yes [1]"), retrievals=())
    await core.database.write_one("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(core.database.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM sessions").fetchall()
        await core.sessions.forget(session.id, group=KEY.group)
        assert b"quokka" in await asyncio.to_thread(everything_in, tmp_path)

    await Upkeep(core).go_round()

    assert b"quokka" not in await asyncio.to_thread(everything_in, tmp_path)


async def test_without_a_limit_nothing_is_deleted(core: Core) -> None:
    kept = await converse(core, "An old question", age_seconds=4000 * DAY)
    forever = replace(core, settings=replace(core.settings, keep_days=0))

    await Upkeep(forever).go_round()

    assert (await core.sessions.messages(kept, group=KEY.group))[0].content == "An old question"


async def test_a_round_that_fails_is_told_and_tried_again(core: Core, caplog: pytest.LogCaptureFixture) -> None:
    idle = await converse(core, "Something asked two hours ago", age_seconds=7200)
    await core.database.write_one("PRAGMA query_only = 1")
    rounds = asyncio.create_task(Upkeep(core, every_seconds=0.01).run())
    async with asyncio.timeout(60):
        while "upkeep failed and is tried again" not in caplog.text:  # noqa: ASYNC110 - a log line is no event
            await asyncio.sleep(0.01)

    await core.database.write_one("PRAGMA query_only = 0")

    async with asyncio.timeout(60):
        while not (await core.sessions.get(idle, group=KEY.group)).is_archived:  # noqa: ASYNC110 - the same
            await asyncio.sleep(0.01)
    rounds.cancel()
