"""The writer that answers with a model: OpenAI or any server that speaks like it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.answering.model.chat import ChatModel
from core.answering.model.finding import Finder
from core.answering.model.parameters import Parameters
from core.answering.model.usage import price_of
from core.answering.model.writer import ModelWriter
from core.answering.steady_writer import SteadyWriter
from core.answering.timely_writer import TimelyWriter
from core.answering.verifying import Verifier
from core.ports import Embedder, Writer
from core.providers.openai_api import to_client
from core.settings import Settings

__all__ = ["ChatModel", "Finder", "ModelWriter", "open_chat", "open_model_writer", "open_plain_writer"]


@asynccontextmanager
async def open_chat(settings: Settings) -> AsyncIterator[ChatModel]:
    """The model the operator chose. Nothing is sent before the first call."""
    client = to_client(settings)
    try:
        yield ChatModel(client=client, model=settings.openai_model, parameters=Parameters.of(settings))
    finally:
        await client.close()


@asynccontextmanager
async def open_plain_writer(
    settings: Settings, retriever: Finder, embedder: Embedder | None
) -> AsyncIterator[TimelyWriter]:
    """A writer that answers with the model within the operator's deadline, or raises what went wrong."""
    async with open_chat(settings) as chat:
        writer = ModelWriter(
            chat=chat, finder=retriever, verifier=Verifier(embedder=embedder), price=price_of(settings)
        )
        yield TimelyWriter(writer, seconds=settings.answer_seconds)


@asynccontextmanager
async def open_model_writer(
    settings: Settings, retriever: Finder, embedder: Embedder | None, fallback: Writer
) -> AsyncIterator[Writer]:
    """A writer that answers with the model and, when that fails, with *fallback*."""
    async with open_plain_writer(settings, retriever, embedder) as writer:
        yield SteadyWriter(first=writer, fallback=fallback)
