"""A small book in a real library and a real index, with a retriever over both."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from core.model import Book, Chunk, Filters, History, Place, Question, Session, SessionKey, Task, Turn
from core.ports import IndexEntry
from core.retrieval.index import open_index
from core.retrieval.retriever import Retriever
from core.retrieval.words import Words
from core.settings import Settings
from core.store.files import DATABASE_NAME
from core.store.library import FileRecord, Library
from core.store.opening import open_store
from tests.core.store.making import make_chunks, make_lesson
from tests.empty_database import put_empty_database
from tests.fakes.letters_embedder import DIMENSION, LettersEmbedder
from tests.fakes.words_reranker import WordsReranker

LESSONS: Mapping[tuple[str, int, int], Sequence[str]] = {
    ("ros2", 1, 1): (
        "A node is a process that does one job. Nodes exchange messages over topics.",
        "By the end of this lesson you can start a node and list all nodes.",
    ),
    ("ros2", 1, 2): (
        "A topic is a named channel. Publishers write to it and subscribers read from it.",
        "A quaternion describes a rotation by four numbers. It never jumps.",
    ),
    ("gazebo", 2, 1): (
        "Gazebo simulates physics. The solver takes one step every millisecond.",
        "An inertial measurement unit (IMU) measures angular velocity. A simulated one adds noise.",
    ),
    ("gazebo", 2, 2): (
        "The steps are:\n\n1. Build the workspace.\n2. Source the setup file.\n3. Start the launch file.\n",
        "Gazebo simulates physics. The solver takes one step every millisecond.",
    ),
}


@dataclass(frozen=True, slots=True)
class Shelf:
    """The book's chunks, and what finds them."""

    library: Library
    retriever: Retriever
    embedder: LettersEmbedder
    reranker: WordsReranker
    chunks: tuple[Chunk, ...]

    def chunk(self, beginning: str) -> Chunk:
        return next(chunk for chunk in self.chunks if chunk.text.startswith(beginning))


@asynccontextmanager
async def open_shelf(folder: Path, *, book: str = "robots") -> AsyncIterator[Shelf]:
    embedder, reranker, words = LettersEmbedder(), WordsReranker(), Words()
    settings = Settings(data_dir=folder)
    await put_empty_database(folder / DATABASE_NAME)
    async with (
        open_store(folder) as database,
        open_index(settings, model=embedder.model, dimension=DIMENSION) as index,
    ):
        library = Library(database)
        await library.save_book(Book(id=book, title="Robots"))
        everything: list[Chunk] = []
        for position, ((module, chapter, lesson), texts) in enumerate(LESSONS.items()):
            place = Place(book, module, chapter, lesson)
            file = f"{module}/{chapter}-{lesson}.md"
            chunks = make_chunks(texts, place, source_file=file)
            vectors = await embedder.embed_chunks([chunk.text for chunk in chunks])
            await index.put([_entry(chunk, words, vector) for chunk, vector in zip(chunks, vectors, strict=True)])
            lessons = [make_lesson(place, position=position)]
            await library.replace_file(book, FileRecord(file, "0" * 64), lessons, chunks)
            everything += chunks
        retriever = Retriever(index=index, library=library, embedder=embedder, reranker=reranker)
        yield Shelf(library, retriever, embedder, reranker, tuple(everything))


def _entry(chunk: Chunk, words: Words, vector: object) -> IndexEntry:
    return IndexEntry(
        chunk_id=chunk.id,
        place=chunk.place,
        parent_id=chunk.parent_id,
        content_hash=chunk.content_hash,
        source_file=chunk.source_file,
        source_file_hash=chunk.source_file_hash,
        terms=words.of_chunk(chunk),
        embedding=vector,  # type: ignore[arg-type]
    )


def make_task(text: str, *turns: Turn, selected: str | None = None, books: tuple[str, ...] = ("robots",)) -> Task:
    session = Session("s1", SessionKey.private(), None, "extractive", "", "")
    question = Question(text, selected_text=selected)
    return Task(question, replace(History(session), turns=turns), Filters(books=books))
