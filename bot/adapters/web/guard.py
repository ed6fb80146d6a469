"""Stands before every route: lets in what may come in, and sends every answer with its security headers."""

from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.adapters.web.access import PASS_COOKIE, Access
from bot.adapters.web.headers import SECURITY_HEADERS
from bot.adapters.web.schemas.problems import ErrorResponse
from bot.adapters.web.uploads import MAX_UPLOAD_BYTES

MAX_BODY_BYTES = 256_000
"""Far above the longest question with the longest selected text."""
_UPLOAD_PATHS = ("/api/books",)
_REFUSALS = {
    "host": (403, "forbidden", "This address is not one Footnote listens on. Open it as 127.0.0.1 or localhost."),
    "origin": (403, "forbidden", "Only Footnote's own page may do this from a browser."),
    "token": (401, "unauthorised", "Send FOOTNOTE_WEB_TOKEN as a bearer token, or sign in at /login."),
}


class Guard:
    """ASGI middleware; it wraps streams without holding them back."""

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refuse(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        limit = _body_limit(str(scope["path"]))
        await self._app(_as_get(scope), _within(receive, limit), _with_headers(send))

    def _refuse(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), str(scope["path"])
        reason = self._access.refusal(scope["method"], path, headers, _pass_cookie(headers))
        if reason == "token" and "text/html" in headers.get("accept", ""):
            wanted = f"{path}?{scope['query_string'].decode('latin-1')}".rstrip("?")
            return RedirectResponse(f"/login?{urlencode({'then': wanted})}", status_code=303)
        if reason is not None:
            status, code, message = _REFUSALS[reason]
            response = _problem(status, code, message)
            if reason == "token":
                response.headers["WWW-Authenticate"] = "Bearer"
            return response
        return _too_large(headers, path)


def _as_get(scope: Scope) -> Scope:
    """Answer HEAD as GET; the server leaves the body out. The API has streams without end, and no need of it."""
    is_head = scope["method"] == "HEAD" and not str(scope["path"]).startswith("/api/")
    return {**scope, "method": "GET"} if is_head else scope


def _body_limit(path: str) -> int:
    return MAX_UPLOAD_BYTES if path in _UPLOAD_PATHS else MAX_BODY_BYTES


def _within(receive: Receive, limit: int) -> Receive:
    """Count a body that did not say how long it is, and stop reading it at the *limit*."""
    read = 0

    async def receive_within() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise HTTPException(413, _too_large_message(limit))
        return message

    return receive_within


def _too_large_message(limit: int) -> str:
    return f"This is larger than the {limit // 1000} kB that fit here."


def _too_large(headers: Headers, path: str) -> Response | None:
    """Refuse a body by its declared length, before a byte of it is read."""
    limit = _body_limit(path)
    declared = headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        return _problem(413, "too_large", _too_large_message(limit))
    return None


def _problem(status: int, code: str, message: str) -> Response:
    return JSONResponse(ErrorResponse.of(code, message).model_dump(), status_code=status)


def _pass_cookie(headers: Headers) -> str | None:
    return cookie_parser(headers.get("cookie", "")).get(PASS_COOKIE)


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS:
                headers.setdefault(name.decode(), value.decode())
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return send_with_headers
