"""A database with nothing in it, made once: going through every migration takes longer than most tests."""

from pathlib import Path
from tempfile import TemporaryDirectory

from core.store.database import open_database

_made: list[bytes] = []


async def put_empty_database(path: Path) -> Path:
    """*path*, with an empty database of the newest schema there unless one is there already."""
    if not _made:
        with TemporaryDirectory() as folder:
            first = Path(folder) / "empty.db"
            async with open_database(first):
                pass
            _made.append(first.read_bytes())
    _write_first(path, _made[0])
    return path


def _write_first(path: Path, content: bytes) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
