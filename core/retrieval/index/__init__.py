"""Where chunks are found: embedded by default, on a Qdrant server where one is set."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.ports import Index
from core.retrieval.index.edge import open_edge_index
from core.settings import Settings

__all__ = ["open_index"]

FOLDER = "index"


@asynccontextmanager
async def open_index(
    settings: Settings, *, model: str, dimension: int, is_fresh: bool = False, is_apart: bool = False
) -> AsyncIterator[Index]:
    """The index of this library in the space of an embedding model, closed at the end.

    With *is_fresh* an embedded index begins empty and the files of the old one, which may be damaged, are set
    aside; reindexing every book fills it again from the library. With *is_apart* it works in a process of its own.

    Raises:
        ServiceError: it cannot be used; the reason says what to do.
        IndexMismatch: the server's collection was not made by Footnote.
    """
    if is_fresh:
        await asyncio.to_thread(_set_aside, settings.data_dir / FOLDER)
    index = await _open(settings, model, dimension, is_apart=is_apart)
    try:
        yield index
    finally:
        await index.close()


def _set_aside(folder: Path) -> None:
    aside = folder.with_name(f"{folder.name}-set-aside")
    if folder.exists():
        shutil.rmtree(aside, ignore_errors=True)
        folder.rename(aside)


async def _open(settings: Settings, model: str, dimension: int, *, is_apart: bool) -> Index:
    if settings.qdrant_url is None:
        folder = settings.data_dir / FOLDER
        return await open_edge_index(folder, model=model, dimension=dimension, is_apart=is_apart)
    # Importing the client takes over a second and 80 MB, which only those with a server should pay.
    from core.retrieval.index.server import open_server_index  # noqa: PLC0415 slow to import

    return await open_server_index(
        settings.qdrant_url,
        key=settings.qdrant_api_key,
        collection=settings.qdrant_collection,
        model=model,
        dimension=dimension,
    )
