"""Transactions in one round to the connection's thread, and many of them in its line at once."""

import asyncio
import threading

import pytest

from core.store.database import Database, Transaction


async def test_a_transaction_as_a_whole_gives_what_its_body_gives(database: Database) -> None:
    async def body(tx: Transaction) -> int:
        await tx.execute("INSERT INTO presence VALUES ('discord', 1)")
        row = await tx.fetch_one("SELECT count(*) AS n FROM presence")
        assert row is not None
        return int(row["n"])

    assert await database.write_whole(body) == 1


async def test_a_transaction_as_a_whole_that_fails_leaves_nothing(database: Database) -> None:
    async def body(tx: Transaction) -> None:
        await tx.execute("INSERT INTO presence VALUES ('discord', 1)")
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        await database.write_whole(body)

    assert await database.fetch_all("SELECT * FROM presence") == []
    await database.write_one("INSERT INTO presence VALUES ('slack', 1)")


async def test_a_transaction_as_a_whole_may_wait_for_nothing_else(database: Database) -> None:
    async def body(tx: Transaction) -> None:
        await tx.execute("INSERT INTO presence VALUES ('discord', 1)")
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="nothing but itself"):
        await database.write_whole(body)

    assert await database.fetch_all("SELECT * FROM presence") == []


async def test_writes_stand_in_line_before_the_one_ahead_is_done(database: Database) -> None:
    """Each would otherwise cost a round to the connection's thread, one after the other."""
    gate, is_held = threading.Event(), threading.Event()

    async def slow(tx: Transaction) -> None:
        is_held.set()
        gate.wait(5)
        await tx.execute("INSERT INTO presence VALUES ('discord', 1)")

    first = asyncio.create_task(database.write_whole(slow))
    await asyncio.to_thread(is_held.wait, 5)
    adding = "UPDATE presence SET seen_at = seen_at + 1 RETURNING seen_at"
    others = [asyncio.create_task(database.write_one(adding)) for _ in range(3)]
    await asyncio.sleep(0)
    # An urgent one overtakes those who wait for their turn, but not those who stand in the thread's line.
    urgent = asyncio.create_task(database.write_one(adding, is_urgent=True))
    await asyncio.sleep(0)
    gate.set()
    await first

    rows = await asyncio.gather(*others, urgent)

    assert [row["seen_at"] for row in rows if row] == [2, 3, 4, 5]


async def test_a_write_nobody_waits_for_any_more_is_done_all_the_same(database: Database) -> None:
    gate, is_held = threading.Event(), threading.Event()

    async def slow(tx: Transaction) -> None:
        is_held.set()
        gate.wait(5)
        await tx.execute("INSERT INTO presence VALUES ('discord', 1)")

    writing = asyncio.create_task(database.write_whole(slow))
    await asyncio.to_thread(is_held.wait, 5)
    writing.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await database.write_one("UPDATE presence SET seen_at = 2")

    assert len(await database.fetch_all("SELECT * FROM presence WHERE seen_at = 2")) == 1
