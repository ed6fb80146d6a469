"""The page itself and the door before it."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from bot.adapters.web.access import PASS_COOKIE
from bot.adapters.web.members import welcome
from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import not_found

router = APIRouter(include_in_schema=False)

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
async def login(
    request: Request, parts: PartsOf, token: Annotated[str, Form(max_length=500)] = "", then: str = "/"
) -> Response:
    """Give the browser a pass for the right token, and lead it to where it wanted to go."""
    if not await parts.access.knock(token.strip()):
        return RedirectResponse(f"/login?{urlencode({'then': then, 'wrong': ''})}", status_code=303)
    response = RedirectResponse(then if _is_ours(then) else "/", status_code=303)
    response.set_cookie(
        PASS_COOKIE,
        parts.access.pass_for_browser(),
        max_age=_A_MONTH_SECONDS,
        httponly=True,
        # Sent along when somebody follows a link to a lesson; what changes something is checked by its origin.
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


def _is_ours(address: str) -> bool:
    """Whether *address* is a path of this site and cannot be read as another one's."""
    return address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()


def _static(*names: str) -> Traversable:
    return files("bot.adapters.web").joinpath("static", *names)
