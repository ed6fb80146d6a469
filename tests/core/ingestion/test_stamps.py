"""Files that nobody touched are not hashed again, and whatever was touched is."""

import os
from hashlib import sha256
from pathlib import Path
from time import time_ns

import pytest

from core.ingestion.changes import Changes, context_hash, find_changes
from core.ingestion.lesson import SourceFile
from core.ingestion.request import Mode
from core.ingestion.stamps import SETTLED_NS, stamp_of
from core.store.library import FileRecord

TEXT = b"Words of a lesson."
HOUR_NS = 3_600 * 10**9


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.md"
    path.write_bytes(TEXT)
    return path


def found(path: Path) -> SourceFile:
    """The file as discovery would find it an hour from now."""
    status = path.stat()
    stamp = stamp_of(status, now_ns=time_ns() + HOUR_NS)
    return SourceFile(path.name, str(path), status.st_size, stamp=stamp)


async def changes_of(now: SourceFile, *, stamp: str, file_hash: str, mode: Mode = Mode.INCREMENTAL) -> Changes:
    """What must be done with a file that was stored with this hash when it had this stamp."""
    record = FileRecord(now.path, file_hash, context_hash=context_hash(now, None), stamp=stamp)
    return await find_changes([now], {now.path: record}, mode=mode, base_url=None, since="9999")


def modified_at(path: Path) -> int:
    return path.stat().st_mtime_ns


def write_after_a_tick(path: Path, content: bytes) -> None:
    """Write *content*, again and again until the file system's clock has moved on since the last change."""
    before = path.stat().st_ctime_ns
    while path.stat().st_ctime_ns == before:
        path.write_bytes(content)


async def test_a_file_that_nobody_touched_is_not_opened(lesson: Path) -> None:
    now = found(lesson)

    changes = await changes_of(now, stamp=now.stamp, file_hash="as it was stored")

    assert changes.unchanged == (now,)
    assert changes.hashes == {"lesson.md": "as it was stored"}


async def test_a_file_that_was_touched_but_not_changed_is_hashed_once_and_not_read(lesson: Path) -> None:
    before = found(lesson).stamp
    write_after_a_tick(lesson, TEXT)
    now = found(lesson)

    changes = await changes_of(now, stamp=before, file_hash=sha256(TEXT).hexdigest())

    assert changes.unchanged == (now,)
    assert changes.stamps == {"lesson.md": now.stamp}


async def test_a_change_is_seen_though_size_and_time_are_put_back(lesson: Path) -> None:
    before, modified_ns = found(lesson), modified_at(lesson)
    write_after_a_tick(lesson, TEXT.upper())
    os.utime(lesson, ns=(modified_ns, modified_ns))
    now = found(lesson)
    assert (now.size, modified_at(lesson)) == (before.size, modified_ns)

    changes = await changes_of(now, stamp=before.stamp, file_hash=sha256(TEXT).hexdigest())

    assert changes.to_read == (now,)


async def test_another_file_moved_to_its_place_is_seen(lesson: Path) -> None:
    before = found(lesson)
    other = lesson.with_name("other.md")
    other.write_bytes(TEXT.upper())
    os.utime(other, ns=(0, modified_at(lesson)))
    other.rename(lesson)

    changes = await changes_of(found(lesson), stamp=before.stamp, file_hash=sha256(TEXT).hexdigest())

    assert changes.to_read


async def test_a_file_that_lost_a_lesson_to_another_is_read_though_nobody_touched_it(lesson: Path) -> None:
    now = found(lesson)

    changes = await changes_of(now, stamp=now.stamp, file_hash="")

    assert changes.to_read == (now,)
    assert changes.hashes == {"lesson.md": sha256(TEXT).hexdigest()}


@pytest.mark.parametrize("mode", [Mode.FULL, Mode.RECREATE])
async def test_reading_everything_trusts_no_stamp(lesson: Path, mode: Mode) -> None:
    now = found(lesson)

    changes = await changes_of(now, stamp=now.stamp, file_hash="as it was stored", mode=mode)

    assert changes.to_read == (now,)
    assert changes.hashes == {"lesson.md": sha256(TEXT).hexdigest()}


@pytest.mark.parametrize(
    ("seconds_later", "is_vouched_for"),
    [
        pytest.param(3, True, id="touched long enough ago"),
        pytest.param(1, False, id="touched just now"),
        pytest.param(-3_600, False, id="the clock was set back since"),
    ],
)
def test_a_stamp_is_given_once_a_second_change_would_show(
    lesson: Path, seconds_later: int, is_vouched_for: bool
) -> None:
    status = lesson.stat()

    stamp = stamp_of(status, now_ns=status.st_ctime_ns + seconds_later * 10**9)

    assert bool(stamp) is is_vouched_for


def test_a_file_from_the_future_is_never_vouched_for(lesson: Path) -> None:
    tomorrow_ns = time_ns() + 24 * HOUR_NS
    os.utime(lesson, ns=(tomorrow_ns, tomorrow_ns))

    assert stamp_of(lesson.stat(), now_ns=time_ns() + SETTLED_NS) == ""


async def test_a_file_without_a_stamp_is_hashed_every_time(lesson: Path) -> None:
    now = SourceFile("lesson.md", str(lesson), len(TEXT))

    changes = await changes_of(now, stamp="", file_hash="as it was stored")

    assert changes.to_read == (now,)
