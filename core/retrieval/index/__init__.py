"""Where chunks are found: embedded by default, on a Qdrant server where one is set."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.ports import Index
from core.retrieval.index.edge import open_edge_index
from core.settings import Settings

__all__ = ["open_index"]

FOLDER = "index"


@asynccontextmanager
async def open_index(settings: Settings, *, model: str, dimension: int) -> AsyncIterator[Index]:
    """The index of this library in the space of an embedding model, closed at the end.

    Raises:
        ServiceError: it cannot be used; the reason says what to do.
        IndexMismatch: the server's collection was not made by Footnote.
    """
    index = await _open(settings, model, dimension)
    try:
        yield index
    finally:
        await index.close()


async def _open(settings: Settings, model: str, dimension: int) -> Index:
    if settings.qdrant_url is None:
        return await open_edge_index(settings.data_dir / FOLDER, model=model, dimension=dimension)
    # Importing the client takes over a second and 80 MB, which only those with a server should pay.
    from core.retrieval.index.server import open_server_index  # noqa: PLC0415

    return await open_server_index(
        settings.qdrant_url,
        key=settings.qdrant_api_key,
        collection=settings.qdrant_collection,
        model=model,
        dimension=dimension,
    )
