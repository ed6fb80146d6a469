"""Conversations and what members thought of answers."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bot.adapters.web.members import known_member
from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import DOOR, NOT_FOUND, PROBLEMS, not_found
from bot.adapters.web.routes.channel import forget_place
from bot.adapters.web.schemas.sessions import FeedbackForm, MessageForm, SessionDetails, SessionForm
from core.model import LOCAL_GROUP
from core.store.feedback import Verdict

router = APIRouter(tags=["sessions"], responses={**DOOR, **NOT_FOUND, **PROBLEMS})


@router.get("/api/sessions")
async def list_sessions(parts: PartsOf, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> list[SessionForm]:
    """This machine's conversations, the latest first."""
    return [SessionForm.of(session) for session in await parts.sessions.list(group=LOCAL_GROUP, limit=limit)]


@router.get("/api/sessions/{session_id}")
async def read_session(session_id: str, parts: PartsOf) -> SessionDetails:
    """One conversation with all that was said in it."""
    session = await parts.sessions.get(session_id, group=LOCAL_GROUP)
    messages = await parts.sessions.messages(session_id, group=LOCAL_GROUP)
    return SessionDetails(
        **SessionForm.of(session).model_dump(), messages=[MessageForm.of(message) for message in messages]
    )


@router.delete("/api/sessions/{session_id}", status_code=204)
async def forget_session(session_id: str, parts: PartsOf) -> Response:
    """Delete a conversation for good."""
    session = await parts.sessions.get(session_id, group=LOCAL_GROUP)
    await forget_place(parts, session.key)
    return Response(status_code=204)


@router.post("/api/feedback", status_code=204)
async def give_feedback(given: FeedbackForm, request: Request, parts: PartsOf) -> Response:
    """Say whether an answer helped; saying it again replaces what was said before."""
    if not await parts.desk.rate(known_member(request), given.handle, Verdict(given.verdict), given.comment):
        raise not_found("This answer is not known any more.")
    return Response(status_code=204)
