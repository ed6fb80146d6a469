"""How we are, for hosts and for Prometheus."""

import time

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from bot.adapters.web.parts import Parts, PartsOf
from bot.adapters.web.problems import DOOR

router = APIRouter(tags=["operation"])

PLATFORMS = ("discord", "slack")
HEARD_WITHIN_SECONDS = 120.0
"""A platform that works is heard every few seconds, if only by its own sign of life."""


class Health(BaseModel):
    """Whether we live and can answer."""

    status: str = Field(description='"ok", or "starting" while the database cannot be read.')
    live: bool
    ready: bool
    last_event_age_seconds: dict[str, float | None] = Field(
        description="For each platform that is served, how long ago we last heard it; null if never."
    )
    platforms_ready: dict[str, bool] = Field(
        default_factory=dict,
        description="For each platform that is served, whether it was heard in the last minutes.",
    )


@router.get("/healthz", responses={503: {"model": Health, "description": "We live but cannot answer yet."}})
async def healthz(response: Response, parts: PartsOf) -> Health:
    """Live, and ready to answer."""
    try:
        ages = {name: await _age(parts, name) for name in PLATFORMS if _is_served(parts, name)}
    except Exception:  # whatever keeps the database from being read keeps us from answering
        response.status_code = 503
        return Health(status="starting", live=True, ready=False, last_event_age_seconds={})
    heard = {name: age is not None and age < HEARD_WITHIN_SECONDS for name, age in ages.items()}
    return Health(status="ok", live=True, ready=True, last_event_age_seconds=ages, platforms_ready=heard)


@router.get("/metrics", response_class=Response, responses={**DOOR, 200: {"content": {"text/plain": {}}}})
async def metrics(parts: PartsOf) -> Response:
    """Numbers in Prometheus' text format."""
    return Response(await parts.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _is_served(parts: Parts, platform: str) -> bool:
    settings = parts.settings
    return bool(settings.discord_token if platform == "discord" else settings.slack_bot_token)


async def _age(parts: Parts, platform: str) -> float | None:
    heard = await parts.places.last_listened(platform)
    return None if heard is None else round(max(0.0, time.time() - heard), 1)
