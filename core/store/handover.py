"""What a command may ask of a bot that already works in the data folder: one row, written from outside.

The bot's own connection is the only one that ever checkpoints (see Database); this one writes a single row
and leaves the log alone.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from core.model.answer import utc_now
from core.store.files import DATABASE_NAME
from core.store.jobs import CANCEL_QUEUED, CANCEL_RUNNING, INSERT_JOB
from core.store.trouble import translated

PATIENCE_SECONDS = 10


def queue_job(
    data_dir: Path,
    *,
    book: str,
    source: str,
    mode: str,
    group: str | None = None,
    options: Mapping[str, object] | None = None,
) -> int:
    """Put a job into the running bot's queue; its number.

    Raises:
        ServiceDown: the database cannot be written to; the reason says what to do.
    """
    values = (book, mode, source, json.dumps(dict(options or {})), group, "operator", utc_now())
    with _outside(data_dir) as connection:
        return int(connection.execute(INSERT_JOB, values).fetchone()[0])


def cancel_job(data_dir: Path, job_id: int) -> None:
    """Take a job out of the running bot's queue, or have it stopped.

    Raises:
        ServiceDown: the database cannot be written to; the reason says what to do.
    """
    with _outside(data_dir) as connection:
        connection.execute(CANCEL_QUEUED, (utc_now(), job_id))
        connection.execute(CANCEL_RUNNING, (job_id,))


@contextmanager
def _outside(data_dir: Path) -> Iterator[sqlite3.Connection]:
    path = data_dir / DATABASE_NAME
    with translated(), closing(sqlite3.connect(path, timeout=PATIENCE_SECONDS)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
