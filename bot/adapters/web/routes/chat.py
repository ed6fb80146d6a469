"""Asking over HTTP: the whole answer at once, or as it is written."""

from collections.abc import AsyncGenerator
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Header, Request
from starlette.responses import StreamingResponse

from bot.adapters.web.asking import to_incoming
from bot.adapters.web.members import known_member
from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import DOOR, NOT_FOUND, PROBLEMS, Refused, refused_by, to_error
from bot.adapters.web.schemas.chat import ChatRequest, ChatResponse
from bot.adapters.web.streaming import EVENT_STREAM, event_stream, to_event
from bot.incoming import Incoming
from bot.reply import Reply, ReplyKind
from core.errors import FootnoteError

router = APIRouter(tags=["chat"], responses={**DOOR, **NOT_FOUND, **PROBLEMS})

RequestKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^([0-9a-f]{32})?$",
        description="32 hex digits; the same request sent again gets the answer of the first.",
    ),
]


@router.post("/api/chat")
async def chat(asked: ChatRequest, request: Request, parts: PartsOf, key: RequestKey = "") -> ChatResponse:
    """Answer a question from the books, with citations."""
    reply = await parts.asking.reply_to(await _to_incoming(asked, request, parts, key))
    if reply.kind is ReplyKind.NOTICE:
        raise refused_by(reply)
    return ChatResponse.of(reply)


@router.post(
    "/api/chat/stream",
    response_class=StreamingResponse,
    responses=EVENT_STREAM,
)
async def chat_stream(
    asked: ChatRequest, request: Request, parts: PartsOf, key: RequestKey = ""
) -> StreamingResponse:
    """The same as server-sent events: `stage`, `text` (all of it so far), then `answer` or `error`."""
    return event_stream(_events(parts, await _to_incoming(asked, request, parts, key)))


async def _to_incoming(asked: ChatRequest, request: Request, parts: PartsOf, key: str) -> Incoming:
    post_id = key or uuid4().hex
    question = asked.to_question(await parts.asking.key_for(post_id, asked.session_id))
    return to_incoming(question, post_id=post_id, member_id=known_member(request).id, member_name="API")


async def _events(parts: PartsOf, incoming: Incoming) -> AsyncGenerator[str]:
    try:
        async for step in parts.asking.follow(incoming):
            if isinstance(step, Reply):
                yield _last_event(step)
            elif step.content["text"]:
                yield to_event("text", {"text": step.content["text"]})
            else:
                told = {name: step.content[name] for name in ("stage", "queue_place")}
                yield to_event("stage", told)
    except FootnoteError as error:
        yield to_event("error", to_error(error).model_dump(mode="json"))


def _last_event(reply: Reply) -> str:
    if reply.kind is ReplyKind.NOTICE:
        refused: Refused = refused_by(reply)
        return to_event("error", refused.response.model_dump(mode="json"))
    return to_event("answer", ChatResponse.of(reply).model_dump(mode="json"))
