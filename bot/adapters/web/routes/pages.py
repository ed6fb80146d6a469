"""The page itself and the door before it."""

import asyncio
from importlib.resources import files
from importlib.resources.abc import Traversable
from time import monotonic
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from bot.adapters.web.access import PASS_COOKIE
from bot.adapters.web.members import welcome
from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import not_found

router = APIRouter(include_in_schema=False)

WRONG_TOKEN_PAUSE_SECONDS = 1.0
"""Guessing is hopeless at this pace, and nobody who mistypes minds."""
_A_MONTH_SECONDS = 2_592_000
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@router.get("/")
async def page(request: Request) -> Response:
    """The study-group channel."""
    response = HTMLResponse(_static("index.html").read_text(encoding="utf-8"))
    welcome(request, response)
    return response


@router.get("/static/{path:path}")
async def static_file(path: str) -> Response:
    """A part of the page, straight from the package."""
    parts = path.split("/")
    file = _static(*parts)
    kind = _KINDS.get(f".{path.rpartition('.')[2]}")
    if kind is None or any(part in {"", ".", ".."} for part in parts) or not file.is_file():
        raise not_found("There is no such file.")
    return Response(file.read_bytes(), media_type=kind, headers={"Cache-Control": "no-cache"})


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Browsers ask for it by this name whatever the page says."""
    return Response(_static("logo.svg").read_bytes(), media_type=_KINDS[".svg"])


@router.get("/login")
async def login_page(parts: PartsOf) -> Response:
    """Where a browser shows the token."""
    if not parts.access.needs_token:
        return RedirectResponse("/", status_code=303)
    return HTMLResponse(_static("login.html").read_text(encoding="utf-8"))


@router.post("/login")
async def login(request: Request, parts: PartsOf, token: Annotated[str, Form(max_length=500)] = "") -> Response:
    """Give the browser a pass for the right token."""
    if not parts.access.is_token(token.strip()):
        started = monotonic()
        await asyncio.sleep(WRONG_TOKEN_PAUSE_SECONDS - (monotonic() - started))
        return RedirectResponse("/login?wrong", status_code=303)
    response = RedirectResponse("/", status_code=303)
    response.set_cookie(
        PASS_COOKIE,
        parts.access.pass_for_browser(),
        max_age=_A_MONTH_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


def _static(*names: str) -> Traversable:
    return files("bot.adapters.web").joinpath("static", *names)
