"""How long a search takes, by the size of the library, against numpy doing the same in the same run.

make bench-query                     1,000, 10,000 and 100,000 chunks
make bench-query ARGS="--sizes 1000"
"""

import argparse
import asyncio
import gc
import sys
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import UUID

import numpy as np

from benchmarks.brute_force import BruteForce
from core.model import Filters, Level, Place, SparseVector
from core.ports import Index, IndexEntry, IndexHit, Vector
from core.retrieval.index.edge import open_edge_index

DIMENSION = 384
VOCABULARY = 30_000
WORDS_PER_CHUNK = 90
WORDS_PER_QUERY = 8
BOOKS = 3
QUERIES = 100
LIMIT = 50
LARGEST_BOOK = Filters(books=("book-0",))
FILTERED = Filters(
    books=("book-0", "book-1"), chapter_min=3, chapter_max=12, tier=2, levels=(Level.A1, Level.A2, Level.B1)
)
EVERYTHING = Filters(books=tuple(f"book-{number}" for number in range(BOOKS)))
TICK_SECONDS = 0.002


@dataclass
class Times:
    """Milliseconds of the index and of numpy for the same queries, and how much of the answer was the same."""

    index: list[float] = field(default_factory=list)
    numpy: list[float] = field(default_factory=list)
    agreement: list[float] = field(default_factory=list)

    def row(self, name: str) -> str:
        ours, theirs = median(self.index), median(self.numpy)
        slowest = quantiles(self.index, n=20)[-1]
        same = sum(self.agreement) / len(self.agreement)
        return f"| {name} | {ours:.2f} | {slowest:.2f} | {theirs:.2f} | {ours / theirs:.2f} × | {same:.3f} |"


class Library:
    """Made-up chunks: vectors in clusters, words as often as words are."""

    def __init__(self, size: int, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        self._centres = self._random.standard_normal((64, DIMENSION)).astype(np.float32)
        frequency = 1 / np.arange(1, VOCABULARY + 1)
        self._cumulative = np.cumsum(frequency / frequency.sum())
        self.entries = [self._entry(number) for number in range(size)]

    def query(self) -> tuple[Vector, SparseVector]:
        return self.vector(), self.words(WORDS_PER_QUERY)

    def vector(self) -> Vector:
        centre = self._centres[self._random.integers(len(self._centres))]
        vector: Vector = centre + 0.7 * self._random.standard_normal(DIMENSION).astype(np.float32)
        length = np.float32(np.linalg.norm(vector))
        return vector / length

    def words(self, count: int) -> SparseVector:
        drawn = np.searchsorted(self._cumulative, self._random.random(count))
        terms = np.unique(np.minimum(drawn, VOCABULARY - 1))
        weights = 0.5 + self._random.random(len(terms))
        return SparseVector(tuple(int(term) for term in terms), tuple(float(weight) for weight in weights))

    def _entry(self, number: int) -> IndexEntry:
        place = Place(
            book=f"book-{number % 10 // 5 if number % 10 < 9 else 2}",
            chapter=int(self._random.integers(20)),
            lesson=number % 7,
            tier=1 + int(self._random.integers(4)),
            level=list(Level)[int(self._random.integers(6))],
        )
        return IndexEntry(
            chunk_id=str(UUID(int=number + 1)),
            place=place,
            parent_id=str(UUID(int=1 << 64 | number // 10)),
            content_hash=str(number),
            source_file=f"{number // 10}.md",
            source_file_hash="0",
            terms=self.words(WORDS_PER_CHUNK),
            embedding=self.vector(),
        )


async def measure(size: int) -> None:
    """Print the table for a library of *size* chunks."""
    library = Library(size)
    brute = BruteForce(library.entries)
    # What only this measurement holds; looking through it for garbage would stop everything longer than a search.
    gc.collect()
    gc.freeze()
    with TemporaryDirectory() as folder:
        index = await open_edge_index(Path(folder), model="bench", dimension=DIMENSION, is_apart=True)
        started = perf_counter()
        putting = await longest_stall(index.put(library.entries))
        say(f"\n{size:,} chunks, put in {perf_counter() - started:.1f} s\n")
        say("| search | index p50 ms | p95 ms | numpy p50 ms | ratio | same hits |")
        say("|---|---|---|---|---|---|")
        for name, filters in (("all books", EVERYTHING), ("one book", LARGEST_BOOK), ("filtered", FILTERED)):
            for kind in ("dense", "words", "hybrid"):
                say((await compare(index, brute, library, filters, kind)).row(f"{kind}, {name}"))
        searching = await longest_stall(search_alone(index, library))
        say(f"\nOther tasks waited at most {searching:.0f} ms while searching, {putting:.0f} ms while putting.")
        await index.close()


async def compare(index: Index, brute: BruteForce, library: Library, filters: Filters, kind: str) -> Times:
    """The same queries to both, one after the other, so that a busy machine slows both alike."""
    times = Times()
    for number in range(QUERIES + 5):
        vector, words = library.query()
        started = perf_counter()
        ours: list[IndexHit] = []
        if kind != "words":
            ours += await index.search_dense(vector, filters, limit=LIMIT)
        if kind != "dense":
            ours += await index.search_words(words, filters, limit=LIMIT)
        between = perf_counter()
        theirs: list[IndexHit] = []
        if kind != "words":
            theirs += brute.search_dense(vector, filters, LIMIT)
        if kind != "dense":
            theirs += brute.search_words(words, filters, LIMIT)
        ended = perf_counter()
        if number >= 5:
            times.index.append((between - started) * 1000)
            times.numpy.append((ended - between) * 1000)
            times.agreement.append(overlap(ours, theirs))
        await asyncio.sleep(0)
    return times


def overlap(ours: Sequence[IndexHit], theirs: Sequence[IndexHit]) -> float:
    expected = {hit.chunk_id for hit in theirs}
    return len(expected & {hit.chunk_id for hit in ours}) / max(1, len(expected))


async def longest_stall(work: Awaitable[object]) -> float:
    """How many milliseconds other tasks had to wait at worst while *work* was done."""
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            started = perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            longest = max(longest, perf_counter() - started - TICK_SECONDS)

    ticking = asyncio.create_task(tick())
    await work
    ticking.cancel()
    return longest * 1000


async def search_alone(index: Index, library: Library) -> None:
    for _ in range(QUERIES):
        vector, words = library.query()
        await index.search_dense(vector, FILTERED, limit=LIMIT)
        await index.search_words(words, FILTERED, limit=LIMIT)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    for size in parser.parse_args().sizes:
        asyncio.run(measure(size))


if __name__ == "__main__":
    main()
