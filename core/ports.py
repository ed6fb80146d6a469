"""What the core asks of the outside. A port exists only where there are two implementations."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.model import Draft, Filters, Findings, Place, SparseVector, StageEvent, Task, TextEvent

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index keeps of a chunk: enough to find and filter it, not its text."""

    chunk_id: str
    place: Place
    parent_id: str
    content_hash: str
    source_file: str
    source_file_hash: str
    terms: SparseVector
    embedding: Vector | None
    """None while the chunk is searchable by words only."""


@dataclass(frozen=True, slots=True)
class IndexHit:
    """A chunk's id and the engine's own score: cosine for dense, BM25 for words."""

    chunk_id: str
    score: float


class Index(Protocol):
    """Where chunks are found. What was put or deleted is visible on return, and survives the end of the process.

    Words are the same for all; dense vectors live in the space of one embedding model, and an index speaks of
    the space it was opened with. Several spaces may lie side by side, which is how a book changes its model.
    """

    async def put(self, entries: Sequence[IndexEntry]) -> None:
        """Add or replace entries by chunk id."""

    async def put_embeddings(self, embeddings: Mapping[str, Vector]) -> None:
        """Add vectors to entries by chunk id; ids without an entry are ignored."""

    async def delete(self, chunk_ids: Sequence[str]) -> None:
        """Remove entries; unknown ids are ignored."""

    async def delete_book(self, book: str) -> None:
        """Remove everything of one book."""

    async def search_dense(self, query: Vector, filters: Filters, *, limit: int) -> list[IndexHit]:
        """The nearest by meaning, best first. *filters.books* must name at least one book."""

    async def search_words(self, query: SparseVector, filters: Filters, *, limit: int) -> list[IndexHit]:
        """The best by words (BM25), best first. *filters.books* must name at least one book.

        How rare a word is, is counted in those books alone: another group's book never shifts a score.
        """

    async def score_dense(self, query: Vector, chunk_ids: Sequence[str]) -> dict[str, float]:
        """The cosine of each of these chunks; those without an embedding are left out."""

    async def score_words(
        self, query: SparseVector, chunk_ids: Sequence[str], *, books: Sequence[str]
    ) -> dict[str, float]:
        """The BM25 score of each of these chunks, as a search in *books* gives it; without a common word, none."""

    async def embeddings(self, chunk_ids: Sequence[str]) -> dict[str, Vector]:
        """The stored vectors of these chunks."""

    async def count(self, filters: Filters) -> int:
        """How many entries match; with no filter at all, how many there are."""

    async def chunk_ids(self, book: str) -> list[str]:
        """Every id the index holds for a book, for comparing it with the library."""

    async def in_space(self, model: str, dimension: int) -> "Index":
        """The same entries, seen in the space of another model, which is made if need be. Not closed by itself."""

    async def keep_spaces(self, kept: Collection[tuple[str, int]]) -> None:
        """Forget the vectors of every model but these, each a name and a dimension, and the one of this index."""

    async def close(self) -> None:
        """Let go of files and sockets. Closing twice is harmless."""


class Embedder(Protocol):
    """Turns text into vectors of one model's space, each of length 1."""

    @property
    def model(self) -> str:
        """The name stored with a collection; another name means another space."""

    @property
    def dimension(self) -> int: ...

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what will be searched."""

    async def embed_query(self, text: str) -> Vector:
        """Embed what we search with."""

    async def close(self) -> None: ...


class Reranker(Protocol):
    """Reads a question and a text together and says how well the one answers the other."""

    @property
    def model(self) -> str: ...

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """A raw score for each text, higher is better; comparable within one model only."""

    async def close(self) -> None: ...


@runtime_checkable
class Loadable(Protocol):
    """A model that lives in this process."""

    async def load(self) -> None:
        """Have the model ready on return, so that the first question does not wait for it."""


class Writer(Protocol):
    """Writes a draft from what it finds in the books. Retrieval is its own step: a model searches by tool."""

    @property
    def model(self) -> str:
        """What an answer says wrote it: "extractive" or the model's name."""

    def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Findings | Draft]:
        """Tell what is happening, then give exactly one Draft as the last item.

        Findings on the way are for whoever has to go on where the writer breaks off; members do not see them.

        A draft without marks is a refusal; so is one whose text is empty.
        """
