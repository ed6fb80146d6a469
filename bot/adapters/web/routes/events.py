"""What happens in the channel, as it happens."""

from collections.abc import AsyncGenerator

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from bot.adapters.web.hub import CLOSING, Happening
from bot.adapters.web.parts import Parts, PartsOf
from bot.adapters.web.post import API_CHANNEL
from bot.adapters.web.problems import DOOR
from bot.adapters.web.streaming import EVENT_STREAM, event_stream, to_event

router = APIRouter(tags=["channel"], responses={**DOOR})


@router.get(
    "/api/events",
    response_class=StreamingResponse,
    responses=EVENT_STREAM,
)
async def events(parts: PartsOf) -> StreamingResponse:
    """Server-sent events: `post`, `progress`, `forgotten`, `job`. After a break, read the channel anew."""
    return event_stream(_events(parts))


async def _events(parts: Parts) -> AsyncGenerator[str]:
    with parts.hub.listen(_is_shown) as mailbox:
        yield to_event("ready", {})
        while True:
            happening = await mailbox.get()
            if happening is CLOSING:
                return
            yield to_event(happening.kind, happening.content)


def _is_shown(happening: Happening) -> bool:
    return happening.content.get("channel") != API_CHANNEL
