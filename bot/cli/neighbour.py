"""The bot that already works in the data folder: where it listens, and what it answers over its HTTP API."""

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlencode

from core.errors import (
    DataInUse,
    FootnoteError,
    LibraryError,
    QuestionError,
    RateLimited,
    ServiceDown,
    UnknownBook,
    UnknownSession,
)
from core.model import Filters, Question, SearchQuery
from core.settings import Settings

ADDRESS_NAME = "footnote.address"
"""In the data folder: says where the bot that holds the folder serves its page."""
PATIENCE_SECONDS = 60
"""Beyond what an answer may take: others may be waiting before us."""

Document = dict[str, Any]

_KINDS = {kind.code: kind for kind in (QuestionError, UnknownBook, UnknownSession, LibraryError)}
"""The errors a person can do something about, by the code they have in a document."""


def announce(settings: Settings) -> None:
    """Let commands find the bot that this process is."""
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104 - compared only
    (settings.data_dir / ADDRESS_NAME).write_text(f"{host} {settings.port} {os.getpid()}", encoding="ascii")


def withdraw(settings: Settings) -> None:
    """The bot that this process is no longer listens. Another one's address is left alone."""
    file = settings.data_dir / ADDRESS_NAME
    with suppress(OSError, ValueError):
        if int(file.read_text(encoding="ascii").split()[-1]) == os.getpid():
            file.unlink()


def check_serves(settings: Settings, in_use: DataInUse) -> None:
    """Nothing happens if whoever holds the folder is a bot, which takes up jobs.

    Raises:
        DataInUse: *in_use*, where it is a chat or another command: a job left to it would wait for ever.
    """
    with suppress(OSError, ValueError):
        pid = int((settings.data_dir / ADDRESS_NAME).read_text(encoding="ascii").split()[-1])
        # A bot that was killed leaves its address behind.
        if pid == in_use.details.get("pid"):
            return
    raise in_use


async def ask_neighbour(question: Question, settings: Settings, in_use: DataInUse) -> Document:
    """The running bot's answer, in the contract's form.

    Raises:
        DataInUse: *in_use*, where whoever holds the folder does not listen.
        FootnoteError: what the bot says went wrong.
    """
    asked = {
        "question": question.text,
        "selected_text": question.selected_text,
        "top_k": question.top_k,
        "similarity_threshold": question.similarity_threshold,
        "session_id": question.session_id,
        "filters": {"books": list(question.filters.books)},
    }
    return await asyncio.to_thread(_call, settings, in_use, "/api/chat", asked)


async def search_neighbour(query: SearchQuery, settings: Settings, in_use: DataInUse) -> Document:
    """What the running bot finds, in the contract's form.

    Raises:
        DataInUse: *in_use*, where whoever holds the folder does not listen.
        FootnoteError: what the bot says went wrong.
    """
    fields = {"q": query.text, "limit": query.limit, **_fields(query.filters)}
    return await asyncio.to_thread(_call, settings, in_use, f"/api/search?{urlencode(fields, doseq=True)}", None)


def _fields(filters: Filters) -> dict[str, object]:
    given = filters.to_dict()
    renamed = {"books": "book", "levels": "level"}
    return {renamed.get(name, name): value for name, value in given.items()}


def _call(settings: Settings, in_use: DataInUse, path: str, body: Mapping[str, object] | None) -> Document:
    try:
        host, port, _ = (settings.data_dir / ADDRESS_NAME).read_text(encoding="ascii").split()
        connection = HTTPConnection(host, int(port), timeout=settings.answer_seconds + PATIENCE_SECONDS)
    except (OSError, ValueError):
        raise in_use from None
    try:
        method, content = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, path, body=content, headers=_headers(settings))
        response = connection.getresponse()
        document: Document = json.loads(response.read())
    except (OSError, HTTPException, ValueError):
        raise in_use from None
    finally:
        connection.close()
    if response.status >= 400:
        raise _to_error(response.status, document)
    return document


def _headers(settings: Settings) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    if settings.web_token:
        headers["Authorization"] = f"Bearer {settings.web_token}"
    return headers


def _to_error(status: int, document: Document) -> FootnoteError:
    message, details = str(document.get("message", "")), document.get("details") or {}
    if status == 429:
        return RateLimited(message, retry_after=int(document.get("retry_after") or 1), details=details)
    if status < 500:
        return _KINDS.get(str(document.get("error")), QuestionError)(message, details=details)
    return ServiceDown("the bot that runs", message, retry_after=document.get("retry_after"))
