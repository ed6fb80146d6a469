"""Who is asking, as far as a browser or a tool lets us know."""

from hashlib import sha256
from uuid import UUID, uuid4

from fastapi import Request, Response

from bot.adapters.web.post import CHANNEL
from bot.member import Member
from core.model import LOCAL_GROUP, SessionKey

MEMBER_COOKIE = "footnote_member"
_A_YEAR_SECONDS = 31_536_000


def known_member(request: Request) -> Member:
    """The browser by its cookie, else the machine by its address. Whoever comes in here leads."""
    found = _cookie(request)
    member_id = f"web:{_told(found)}" if found else f"api:{request.client.host if request.client else 'local'}"
    return Member(member_id, "API", SessionKey("web", LOCAL_GROUP, CHANNEL, ""), is_leader=True)


def welcome(request: Request, response: Response) -> None:
    """Give a browser that comes for the first time a name that only it knows."""
    if _cookie(request) is None:
        response.set_cookie(
            MEMBER_COOKIE,
            uuid4().hex,
            max_age=_A_YEAR_SECONDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )


def _told(secret: str) -> str:
    """What others may see of a browser's own name: enough to tell it from others, not enough to pass for it."""
    return sha256(secret.encode()).hexdigest()[:16]


def _cookie(request: Request) -> str | None:
    try:
        return UUID(request.cookies.get(MEMBER_COOKIE, "")).hex
    except ValueError:
        return None
