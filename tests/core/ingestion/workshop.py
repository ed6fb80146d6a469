"""Everything ingestion works with, real and in one folder, and the rules that hold whatever it does."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from core.ingestion.discovery import OpenedBook
from core.ingestion.embedding import Embedding
from core.ingestion.intake import Intake
from core.ingestion.pipeline import Ingestion
from core.ingestion.progress import Tally
from core.ingestion.reading import Reading
from core.ingestion.request import IngestRequest, Mode
from core.ingestion.shelving import Shelving
from core.model import Book, Chunk, Filters
from core.ports import Embedder, Index
from core.retrieval.index import open_index
from core.retrieval.words import Words
from core.settings import Settings
from core.store.database import Database
from core.store.embedding_cache import EmbeddingCache
from core.store.files import DATABASE_NAME
from core.store.job import Job
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.opening import open_store
from tests.empty_database import put_empty_database
from tests.fakes.letters_embedder import LettersEmbedder

BOOK = "course"


@dataclass
class Workshop:
    """An ingestion and what it works on."""

    folder: Path
    library: Library
    jobs: Jobs
    index: Index
    embedder: Embedder
    database: Database
    reading: Reading | None

    def __post_init__(self) -> None:
        self.ingestion = Ingestion(
            library=self.library,
            jobs=self.jobs,
            index=self.index,
            embedder=self.embedder,
            cache=EmbeddingCache(self.database),
            scratch=self.folder / "scratch",
            reading=self.reading,
        )

    def with_embedder(self, embedder: Embedder, index: Index) -> "Workshop":
        """The same library with another model, as after a change of settings."""
        return _workshop(self.folder, self.database, index, embedder, self.reading)

    def with_parts(self, *, library: Library, jobs: Jobs, index: Index) -> "Workshop":
        """The same with other parts, such as parts that break."""
        return replace(self, library=library, jobs=jobs, index=index)

    @property
    def source(self) -> Path:
        return self.folder / "source"

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Put files into the source folder."""
        for path, content in files.items():
            file = self.source / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    async def ingest(self, mode: Mode = Mode.INCREMENTAL, *, book: str = BOOK, base_url: str | None = None) -> Job:
        return await self.ingestion.ingest(IngestRequest(str(self.source), book, mode=mode, base_url=base_url))

    async def take_in(self, request: IngestRequest, opened: OpenedBook) -> Job:
        """Take in a book that is already open, up to its embeddings."""
        embedding = Embedding(embedder=self.embedder, cache=EmbeddingCache(self.database))
        shelving = Shelving(library=self.library, index=self.index)
        intake = Intake(library=self.library, shelving=shelving, embedding=embedding, reading=self.reading)
        job = await self.jobs.create(book=request.book, source=request.source, mode=request.mode)
        tally = Tally(job, jobs=self.jobs, on_progress=None)
        await self.library.save_book(Book(request.book, title="Course"))
        await intake.take_in(request, opened, tally)
        return replace(tally.job, errors=(await self.jobs.get(job.id)).errors)

    async def chunks(self, book: str = BOOK) -> dict[str, Chunk]:
        return {chunk.id: chunk async for batch in self.library.all_chunks(book) for chunk in batch}

    async def found_by_words(self, words: str, book: str = BOOK) -> list[str]:
        """The texts of what a search by words finds, as a reader sees it: only what the library knows."""
        hits = await self.index.search_words(Words().of_query(words), Filters(books=(book,)), limit=50)
        known = await self.library.chunks(hit.chunk_id for hit in hits)
        return [chunk.text for chunk in known.values()]

    async def found_by_meaning(self, book: str = BOOK) -> set[str]:
        """The ids of all chunks that a search by meaning can find."""
        query = await self.embedder.embed_query("anything")
        hits = await self.index.search_dense(query, Filters(books=(book,)), limit=10_000)
        return {hit.chunk_id for hit in hits}

    async def check_all_is_well(self, book: str = BOOK) -> None:
        """After an ingestion: whole chains, nothing owed, and the index holds just what the library does."""
        chunks = await self.chunks(book)
        await self.check_chains(book)
        assert await self.library.stale(book) == []
        assert await self.library.pending(book) == []
        assert set(await self.index.chunk_ids(book)) == set(chunks)
        assert await self.found_by_meaning(book) == set(chunks)

    async def check_chains(self, book: str = BOOK) -> None:
        """At any moment: every lesson's chunks form one chain without a gap, a fork or a dangling end."""
        chunks = await self.chunks(book)
        for chunk in chunks.values():
            lesson = await self.library.lesson(chunk.parent_id)
            assert [each.index for each in lesson] == list(range(chunk.total))
            ids = [None, *(each.id for each in lesson), None]
            assert [(each.previous_id, each.next_id) for each in lesson] == list(
                zip(ids[:-2], ids[2:], strict=True)
            )


def lesson(*paragraphs: str, **front: object) -> str:
    """A Markdown lesson with a section for each paragraph, long enough not to be joined with its neighbour."""
    head = "\n".join(f"{name}: {value}" for name, value in {"title": "Lesson", **front}.items())
    sections = "\n\n".join(f"## Part {at}\n\n{text}" for at, text in enumerate(paragraphs, 1))
    return f"---\n{head}\n---\n\n{sections}\n"


def passage(word: str, *, sentences: int = 25) -> str:
    """A paragraph of about 180 words in which *word* is what it is about."""
    return " ".join(f"The {word} number {at} is explained here in a sentence." for at in range(sentences))


@asynccontextmanager
async def open_workshop(
    folder: Path,
    *,
    embedder: Embedder | None = None,
    index: Index | None = None,
    reading: Reading | None = None,
    is_fresh: bool = False,
) -> AsyncIterator[Workshop]:
    """A workshop in *folder*, with an index of its own unless one is lent."""
    embedder = embedder or LettersEmbedder()
    await put_empty_database(folder / "data" / DATABASE_NAME)
    async with open_store(folder / "data") as database:
        if index is not None:
            yield _workshop(folder, database, index, embedder, reading)
            return
        settings = Settings(data_dir=folder / "data")
        async with open_index(
            settings, model=embedder.model, dimension=embedder.dimension, is_fresh=is_fresh
        ) as own:
            yield _workshop(folder, database, own, embedder, reading)


def _workshop(
    folder: Path, database: Database, index: Index, embedder: Embedder, reading: Reading | None
) -> Workshop:
    return Workshop(folder, Library(database), Jobs(database), index, embedder, database, reading)
