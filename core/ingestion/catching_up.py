"""Embeds what is found by words only so far."""

from core.ingestion.embedding import Embedding
from core.ingestion.progress import Tally
from core.ports import Index
from core.store.library import Library

FETCHED_IDS = 2000


class CatchingUp:
    """Pays the embeddings a book owes, in reading order. Stopped at any point, it goes on from there."""

    def __init__(self, *, library: Library, index: Index, embedding: Embedding) -> None:
        self._library = library
        self._index = index
        self._embedding = embedding

    async def catch_up(self, book: str, tally: Tally) -> None:
        """Embed every pending chunk of *book*.

        Raises:
            ServiceError: the embedder gave up; what it did until then is kept.
        """
        owed = (await self._library.book(book, group=None)).pending_count
        if not owed:
            return
        await tally.start_embedding(owed)
        while ids := await self._library.pending(book, limit=FETCHED_IDS):
            chunks = list((await self._library.chunks(ids)).values())
            for batch in self._embedding.batches(chunks):
                vectors = await self._embedding.of(batch)
                await self._index.put_embeddings(vectors)
                await self._library.clear_pending(vectors)
                await tally.embedded(len(vectors))
