"""How long one question takes beside its bare model calls, in a library of ten thousand chunks.

    python -m benchmarks.question_time [--chunks 10000] [--questions 30]

The chunks are made of the sample book's sentences and have random vectors, so that nothing is embedded but the
questions. Reported are the medians of the whole question, of its model calls, and how long the event loop
was kept busy at most.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from core.answering.extractive_writer import to_draft
from core.evaluation.timing import ModelClock, TimedEmbedder, TimedReranker
from core.model import Book, Chunk, Filters, Place, chunk_id, parent_id
from core.model.book import content_hash
from core.ports import IndexEntry
from core.retrieval.embedders.onnx_embedder import DIMENSION, OnnxEmbedder
from core.retrieval.index import open_index
from core.retrieval.rerankers.onnx_reranker import OnnxReranker
from core.retrieval.retriever import Retriever
from core.retrieval.words import Words
from core.settings import Settings
from core.store.library import FileRecord, LessonRow, Library
from core.store.opening import open_store
from core.text.sentences import SpanKind, sentences

BOOK = "big"
PER_LESSON = 20
WORDS = 280
QUESTIONS = (
    "What is a topic?",
    "How does a Kalman filter treat noise?",
    "Why do small errors grow?",
    "How do I build a workspace?",
    "What does a lidar measure?",
)


def sample_sentences() -> list[str]:
    found = []
    for path in Path("sample_book").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        found += [span.of(text) for span in sentences(text) if span.kind is SpanKind.PROSE]
    return [sentence for sentence in found if len(sentence.split()) > 4]


def make_lesson(number: int, pool: list[str], dice: random.Random) -> list[Chunk]:
    place = Place(BOOK, "main", number // 50, number % 50)
    texts = []
    for _ in range(PER_LESSON):
        words: list[str] = []
        while len(words) < WORDS:
            words += dice.choice(pool).split()
        texts.append(" ".join(words))
    ids = [chunk_id(place, content_hash(text)) for text in texts]
    return [
        Chunk(
            id=ids[at],
            text=text,
            place=place,
            parent_id=parent_id(place),
            index=at,
            total=PER_LESSON,
            previous_id=ids[at - 1] if at else None,
            next_id=ids[at + 1] if at + 1 < PER_LESSON else None,
            page_title=f"Lesson {number}",
            section=(),
            breadcrumb="Big",
            url="/read/big",
            source_file=f"{number}.md",
            source_file_hash="0" * 64,
            content_hash=content_hash(text),
        )
        for at, text in enumerate(texts)
    ]


async def watch(worst: list[float]) -> None:
    """Note how late the loop comes back from a wait of a millisecond."""
    while True:
        started = perf_counter()
        await asyncio.sleep(0.001)
        worst.append((perf_counter() - started) * 1000 - 1)


async def measure(folder: Path, chunk_count: int, question_count: int) -> None:
    dice, noise, words = random.Random(1), np.random.default_rng(1), Words()
    embedder, reranker, clock = OnnxEmbedder(), OnnxReranker(), ModelClock()
    settings = Settings(data_dir=folder)
    pool = sample_sentences()
    async with (
        open_store(folder) as database,
        open_index(settings, model=embedder.model, dimension=DIMENSION) as index,
    ):
        library = Library(database)
        await library.save_book(Book(id=BOOK, title="Big"))
        for number in range(chunk_count // PER_LESSON):
            chunks = make_lesson(number, pool, dice)
            vectors = noise.normal(size=(len(chunks), DIMENSION)).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            await index.put(
                [
                    IndexEntry(
                        c.id, c.place, c.parent_id, c.content_hash, c.source_file, "0" * 64, words.of_chunk(c), v
                    )
                    for c, v in zip(chunks, vectors, strict=True)
                ]
            )
            lesson = LessonRow(chunks[0].parent_id, f"Lesson {number}", chunks[0].place, f"/{number}", number)
            await library.replace_file(BOOK, FileRecord(f"{number}.md", "0" * 64), [lesson], chunks)
        retriever = Retriever(
            index=index,
            library=library,
            embedder=TimedEmbedder(embedder, clock),
            reranker=TimedReranker(reranker, clock),
            patience_seconds=600,
        )
        scope = Filters(books=(BOOK,))
        started = perf_counter()
        await retriever.search("warm up", scope, limit=5)
        print(f"first question, which reads the vocabulary: {perf_counter() - started:.1f} s")
        whole, models, late = [], [], list[float]()
        watcher = asyncio.create_task(watch(late))
        for at in range(question_count):
            clock.restart()
            started = perf_counter()
            to_draft(await retriever.search(QUESTIONS[at % len(QUESTIONS)], scope, limit=5))
            whole.append((perf_counter() - started) * 1000)
            models.append(clock.milliseconds)
        watcher.cancel()
        ratios = [w / m for w, m in zip(whole, models, strict=True)]
        print(f"{chunk_count} chunks, {question_count} questions")
        print(f"whole question p50 {statistics.median(whole):.0f} ms")
        print(f"its model calls p50 {statistics.median(models):.0f} ms")
        print(f"ratio p50 {statistics.median(ratios):.2f}")
        print(f"event loop late by p99 {sorted(late)[int(len(late) * 0.99)]:.1f} ms, at most {max(late):.1f} ms")
    await embedder.close()
    await reranker.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="One question beside its bare model calls.")
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=30)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), given.chunks, given.questions))


if __name__ == "__main__":
    main()
