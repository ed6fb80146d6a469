"""Failures in the one form the API has for them; nothing of our insides shows."""

import logging
import secrets
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from string import Template

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from bot import wording
from bot.adapters.web.schemas.problems import ErrorResponse
from bot.reply import Reply
from core.errors import FootnoteError, LibraryError, QuestionError

logger = logging.getLogger(__name__)

PROBLEMS: dict[int | str, dict[str, object]] = {
    409: {"model": ErrorResponse, "description": "The answer was stopped, or the index does not fit the model."},
    422: {"model": ErrorResponse, "description": "Something in the request breaks a limit; the message names it."},
    429: {"model": ErrorResponse, "description": "Too many questions; `Retry-After` says how long to wait."},
    503: {"model": ErrorResponse, "description": "Something the answer needs is away."},
    504: {"model": ErrorResponse, "description": "The answer took too long."},
}
"""What any route that asks or searches may answer instead."""
NOT_FOUND: dict[int | str, dict[str, object]] = {
    404: {"model": ErrorResponse, "description": "There is no such thing here."}
}
DOOR: dict[int | str, dict[str, object]] = {
    400: {"model": ErrorResponse, "description": "The body cannot be read."},
    413: {"model": ErrorResponse, "description": "The body is too large."},
    401: {"model": ErrorResponse, "description": "The token is missing."},
    403: {"model": ErrorResponse, "description": "The request comes from another site."},
}
_NAMES = {400: "invalid", 404: "not_found", 405: "not_allowed", 413: "too_large", 415: "invalid", 409: "conflict"}


class Refused(Exception):
    """A request that gets this *response* under *status* and nothing else."""

    def __init__(self, status: int, response: ErrorResponse) -> None:
        super().__init__(response.message)
        self.status = status
        self.response = response


def not_found(message: str) -> Refused:
    """There is nothing under the name that was given."""
    return Refused(404, ErrorResponse.of("not_found", message))


def refused_by(reply: Reply) -> Refused:
    """A turn that ended with a notice, in the status its code stands for."""
    response = ErrorResponse.of(
        reply.code or "stopped", reply.text, details=dict(reply.details), retry_after=reply.retry_after
    )
    return Refused(_statuses().get(reply.code, 500) if reply.code else 409, response)


def to_error(error: FootnoteError, *, reference: str = "") -> ErrorResponse:
    """An error that was foreseen: what a caller sent is named as the API calls it, the rest as members read it."""
    is_about_the_request = isinstance(error, QuestionError | LibraryError)
    return ErrorResponse.of(
        error.code,
        error.message if is_about_the_request else wording.for_error(error, reference=reference),
        details=dict(error.details),
        retry_after=error.retry_after,
    )


def add_handlers(app: FastAPI) -> None:
    """Answer every exception of *app* in the API's form."""
    app.add_exception_handler(Refused, _on_refused)
    app.add_exception_handler(FootnoteError, _on_foreseen)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_broken)


def _answer(request: Request, status: int, response: ErrorResponse) -> Response:
    """The problem as JSON, or as a page to somebody who followed a link."""
    headers = {"Retry-After": str(response.retry_after)} if response.retry_after is not None else None
    is_person = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if is_person:
        page = files("bot.adapters.web").joinpath("static", "problem.html").read_text(encoding="utf-8")
        return HTMLResponse(Template(page).substitute(message=escape(response.message)), status, headers)
    return JSONResponse(response.model_dump(mode="json"), status_code=status, headers=headers)


async def _on_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _answer(request, error.status, error.response)


async def _on_foreseen(request: Request, error: Exception) -> Response:
    assert isinstance(error, FootnoteError)
    reference = secrets.token_hex(3)
    if error.http_status >= 500:
        logger.warning("%s failed: %s", request.url.path, error, extra={"reference": reference})
    return _answer(request, error.http_status, to_error(error, reference=reference))


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    message = f"{field}: {first['msg']}."
    return _answer(
        request, 422, ErrorResponse.of("invalid", message, details={"field": field, "problem": first["type"]})
    )


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = _answer(
        request, error.status_code, ErrorResponse.of(_NAMES.get(error.status_code, "failed"), error.detail)
    )
    response.headers.update(error.headers or {})
    if error.status_code == 405:
        response.headers["Allow"] = ", ".join(_methods_at(request))
    return response


async def _on_broken(request: Request, error: Exception) -> Response:
    reference = secrets.token_hex(3)
    logger.error("%s broke", request.url.path, exc_info=error, extra={"reference": reference})
    return _answer(request, 500, ErrorResponse.of("failed", wording.for_error(error, reference=reference)))


def _methods_at(request: Request) -> list[str]:
    """What may be done at this address; the router names the first route's methods only."""
    here = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for route in here for method in getattr(route, "methods", None) or ()})


def _statuses() -> dict[str, int]:
    return {kind.code: kind.http_status for kind in _family(FootnoteError)}


def _family(kind: type[FootnoteError]) -> Iterator[type[FootnoteError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _family(child)
