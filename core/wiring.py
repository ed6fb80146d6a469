"""Puts the core together from the settings: the one file that knows every part."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from core.agent import Agent
from core.answering.extractive_writer import ExtractiveWriter
from core.ingestion.pipeline import Ingestion
from core.ports import Embedder, Index, Reranker, Writer
from core.retrieval.index import open_index
from core.retrieval.retriever import Retriever
from core.settings import Settings
from core.store.database import Database
from core.store.embedding_cache import EmbeddingCache
from core.store.feedback import Feedback
from core.store.jobs import Jobs
from core.store.ledger import Ledger
from core.store.library import Library
from core.store.opening import open_store
from core.store.sessions import Sessions

SCRATCH = "scratch"
"""Where in the data folder archives are unpacked and sites are fetched to."""


@dataclass(frozen=True, slots=True)
class Core:
    """Everything that answers, opened once."""

    settings: Settings
    database: Database
    library: Library
    sessions: Sessions
    jobs: Jobs
    ledger: Ledger
    feedback: Feedback
    index: Index
    embedder: Embedder
    reranker: Reranker | None
    retriever: Retriever
    ingestion: Ingestion
    writer: Writer
    agent: Agent


@asynccontextmanager
async def open_core(
    settings: Settings, *, is_index_fresh: bool = False, is_index_apart: bool = False
) -> AsyncIterator[Core]:
    """The core over the data folder, held against other processes, and closed at the end.

    The embedded models load when they are first used. With *is_index_fresh* the embedded index begins empty; with
    *is_index_apart* it works in a process of its own, so that large work in it keeps nobody waiting.

    Raises:
        DataInUse: another process works in the folder.
        ServiceError: the database, the index or the embedder cannot be used; the reason says what to do.
        SettingsError: a package that the settings ask for is not installed.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_store(settings.data_dir))
        # Nobody else can be working on them: we hold the folder.
        await Jobs(database).requeue_interrupted()
        embedder = await _open_embedder(settings)
        stack.push_async_callback(embedder.close)
        index = await stack.enter_async_context(
            open_index(
                settings,
                model=embedder.model,
                dimension=embedder.dimension,
                is_fresh=is_index_fresh,
                is_apart=is_index_apart,
            )
        )
        reranker = _make_reranker(settings)
        if reranker is not None:
            stack.push_async_callback(reranker.close)
        retriever = Retriever(index=index, library=Library(database), embedder=embedder, reranker=reranker)
        writer = await _open_writer(settings, retriever, embedder, stack)
        yield _to_core(
            settings=settings,
            database=database,
            index=index,
            embedder=embedder,
            reranker=reranker,
            retriever=retriever,
            writer=writer,
        )


def _to_core(
    *,
    settings: Settings,
    database: Database,
    index: Index,
    embedder: Embedder,
    reranker: Reranker | None,
    retriever: Retriever,
    writer: Writer,
) -> Core:
    """What was opened, and everything that stands on it and needs no closing."""
    library, jobs = Library(database), Jobs(database)
    sessions = Sessions(database, model=writer.model, max_turns=settings.max_turns)
    return Core(
        settings=settings,
        database=database,
        library=library,
        sessions=sessions,
        jobs=jobs,
        ledger=Ledger(database),
        feedback=Feedback(database),
        index=index,
        embedder=embedder,
        reranker=reranker,
        retriever=retriever,
        ingestion=Ingestion(
            library=library,
            jobs=jobs,
            index=index,
            embedder=embedder,
            cache=EmbeddingCache(database),
            scratch=settings.data_dir / SCRATCH,
            allows_private=settings.reads_private_sites,
        ),
        writer=writer,
        agent=Agent(
            sessions=sessions,
            library=library,
            writer=writer,
            top_k=settings.top_k,
            similarity_threshold=settings.score_threshold,
        ),
    )


async def _open_embedder(settings: Settings) -> Embedder:
    # Each kind brings packages that take long to import and that the others do not need.
    if settings.embedder == "openai":
        from core.retrieval.embedders.openai_embedder import open_openai_embedder  # noqa: PLC0415 slow to import

        return await open_openai_embedder(settings)
    if settings.embedder == "cohere":
        from core.retrieval.embedders.cohere_embedder import open_cohere_embedder  # noqa: PLC0415 slow to import

        return await open_cohere_embedder(settings)
    if settings.embedder == "static":
        from core.retrieval.embedders.static_embedder import StaticEmbedder  # noqa: PLC0415 slow to import

        return StaticEmbedder()
    from core.retrieval.embedders.onnx_embedder import OnnxEmbedder  # noqa: PLC0415 slow to import

    return OnnxEmbedder(threads=settings.threads)


def _make_reranker(settings: Settings) -> Reranker | None:
    if not settings.reranks:
        return None
    if settings.reranker == "cohere":
        from core.retrieval.rerankers.cohere_reranker import CohereReranker  # noqa: PLC0415 slow to import

        return CohereReranker.of(settings)
    from core.retrieval.rerankers.onnx_reranker import OnnxReranker  # noqa: PLC0415 slow to import

    return OnnxReranker(threads=settings.threads)


async def _open_writer(
    settings: Settings, retriever: Retriever, embedder: Embedder, stack: AsyncExitStack
) -> Writer:
    extractive = ExtractiveWriter(retriever=retriever)
    if not settings.has_model:
        return extractive
    from core.answering.model import open_model_writer  # noqa: PLC0415 slow to import

    return await stack.enter_async_context(open_model_writer(settings, retriever, embedder, fallback=extractive))
