"""How files take the place of their former selves, inside a transaction of the caller's."""

import json
from collections.abc import Collection, Iterable, Sequence

from core.model import Chunk
from core.model.answer import utc_now
from core.store.connection import Row
from core.store.database import Transaction
from core.store.library.records import NewFile, Replaced
from core.store.library.rows import CHUNK_COLUMNS, CHUNK_PLACEHOLDERS, from_chunk, from_place
from core.store.library.shelf import as_array

_INSERT_CHUNK = f"INSERT INTO chunks ({CHUNK_COLUMNS}) VALUES ({CHUNK_PLACEHOLDERS})"  # noqa: S608 - our names


async def replace_files(
    transaction: Transaction,
    book_id: str,
    files: Sequence[NewFile],
    *,
    pending: Collection[str],
    paid: Collection[str],
) -> Replaced:
    """Store the files anew; see Files.replace_files."""
    chunks = [chunk for file in files for chunk in file.chunks]
    names = as_array(file.record.source_file for file in files)
    parents = as_array(lesson.parent_id for file in files for lesson in file.lessons)
    before = await _chunks_to_go(transaction, book_id, names, parents)
    await _make_room(transaction, book_id, names, parents)
    await _add_files(transaction, book_id, files)
    await _add_lessons(transaction, book_id, files)
    await _add_chunks(transaction, chunks, before)
    came = {chunk.id for chunk in chunks}
    deleted = tuple(id for id in before if id not in came)
    still_pending = {id for id, row in before.items() if row["is_pending"] and id in came}
    owed = still_pending.difference(paid).union(id for id in pending if id in came)
    await _note_debts(transaction, book_id, came=came, went=deleted, pending=owed)
    return Replaced(
        created=tuple(chunk.id for chunk in chunks if chunk.id not in before),
        kept=tuple(chunk.id for chunk in chunks if chunk.id in before),
        deleted=deleted,
    )


async def delete_files(transaction: Transaction, book_id: str, source_files: Iterable[str]) -> list[str]:
    """Remove files; see Files.delete_files."""
    names = as_array(source_files)
    rows = await transaction.fetch_all(
        "SELECT id FROM chunks WHERE book = ? AND source_file IN (SELECT value FROM json_each(?))",
        (book_id, names),
    )
    gone = [row["id"] for row in rows]
    await transaction.execute(
        "DELETE FROM files WHERE book = ? AND source_file IN (SELECT value FROM json_each(?))",
        (book_id, names),
    )
    await _note_debts(transaction, book_id, came=(), went=gone, pending=())
    return gone


async def _chunks_to_go(transaction: Transaction, book_id: str, names: str, parents: str) -> dict[str, Row]:
    """What the files have now, and what other files have at the places they claim."""
    rows = await transaction.fetch_all(
        "SELECT id, created_at, id IN (SELECT chunk_id FROM pending_embeddings) AS is_pending FROM chunks "
        "WHERE (book = ? AND source_file IN (SELECT value FROM json_each(?))) "
        "OR parent_id IN (SELECT value FROM json_each(?))",
        (book_id, names, parents),
    )
    return {row["id"]: row for row in rows}


async def _make_room(transaction: Transaction, book_id: str, names: str, parents: str) -> None:
    # A file that loses a lesson to another one has changed, whatever its bytes say.
    await transaction.execute(
        "UPDATE files SET file_hash = '' WHERE book = ?1 AND source_file NOT IN (SELECT value FROM json_each(?2)) "
        "AND source_file IN (SELECT source_file FROM lessons WHERE book = ?1 "
        "AND parent_id IN (SELECT value FROM json_each(?3)))",
        (book_id, names, parents),
    )
    await transaction.execute(
        "DELETE FROM lessons WHERE (book = ? AND source_file IN (SELECT value FROM json_each(?))) "
        "OR parent_id IN (SELECT value FROM json_each(?))",
        (book_id, names, parents),
    )


async def _add_files(transaction: Transaction, book_id: str, files: Sequence[NewFile]) -> None:
    now = utc_now()
    await transaction.execute_many(
        "INSERT INTO files (book, source_file, file_hash, context_hash, stamp, ingested_at) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET file_hash = excluded.file_hash, "
        "context_hash = excluded.context_hash, stamp = excluded.stamp, ingested_at = excluded.ingested_at",
        [
            (book_id, each.source_file, each.file_hash, each.context_hash, each.stamp, each.ingested_at or now)
            for each in (file.record for file in files)
        ],
    )


async def _add_lessons(transaction: Transaction, book_id: str, files: Sequence[NewFile]) -> None:
    await transaction.execute_many(
        "INSERT INTO lessons (parent_id, book, source_file, title, module, chapter, lesson, tier, level, layer, "
        "slug, position, warnings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                lesson.parent_id,
                book_id,
                file.record.source_file,
                lesson.title,
                *from_place(lesson.place),
                lesson.slug,
                lesson.position,
                json.dumps(lesson.warnings, ensure_ascii=False),
            )
            for file in files
            for lesson in file.lessons
        ],
    )


async def _add_chunks(transaction: Transaction, chunks: Sequence[Chunk], before: dict[str, Row]) -> None:
    now = utc_now()
    await transaction.execute_many(
        _INSERT_CHUNK,
        [
            from_chunk(
                chunk,
                created_at=before[chunk.id]["created_at"] if chunk.id in before else chunk.created_at or now,
                updated_at=chunk.updated_at or now,
            )
            for chunk in chunks
        ],
    )


async def _note_debts(
    transaction: Transaction, book_id: str, *, came: Iterable[str], went: Iterable[str], pending: Iterable[str]
) -> None:
    # An id that comes back must not be removed from the index as stale any more.
    await transaction.execute(
        "DELETE FROM stale_points WHERE chunk_id IN (SELECT value FROM json_each(?))",
        (as_array(came),),
    )
    await transaction.execute(
        "INSERT OR IGNORE INTO stale_points (chunk_id, book) SELECT value, ? FROM json_each(?)",
        (book_id, as_array(went)),
    )
    await transaction.execute(
        "INSERT OR IGNORE INTO pending_embeddings (chunk_id) SELECT value FROM json_each(?)", (as_array(pending),)
    )
