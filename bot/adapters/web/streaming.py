"""Server-sent events: one way to write them, and a sign of life while nothing happens."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

from starlette.responses import StreamingResponse

ALIVE_EVERY_SECONDS = 15.0
"""Proxies close what is silent for longer, commonly after 30 or 60 seconds."""

EVENT_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events, each with its kind and its content as JSON.",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "object",
                    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
                    "required": ["event", "data"],
                }
            }
        },
    }
}
"""How the API's document describes such a response."""


def to_event(kind: str, content: Mapping[str, object]) -> str:
    """One event in the format browsers read."""
    return f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"


def event_stream(events: AsyncGenerator[str]) -> StreamingResponse:
    """*events* as a response that nobody in between keeps back."""
    return StreamingResponse(
        _with_signs_of_life(events),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _with_signs_of_life(events: AsyncGenerator[str]) -> AsyncIterator[str]:
    upcoming: asyncio.Future[str] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait({upcoming}, timeout=ALIVE_EVERY_SECONDS)
            if not done:
                yield ": still here\n\n"
                continue
            try:
                yield upcoming.result()
            except StopAsyncIteration:
                return
            upcoming = None
    finally:
        # Whoever listened may have gone in the middle of an event; what makes them lets go of its listening.
        if upcoming is not None:
            upcoming.cancel()
            await asyncio.wait({upcoming})
        await events.aclose()
