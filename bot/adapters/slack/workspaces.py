"""The workspaces that installed the app, each with its own token; they never see each other."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.trouble import translated

TIMEOUT_SECONDS = 20
RATE_LIMIT_RETRIES = 2


@dataclass(frozen=True, slots=True)
class Workspace:
    """One installation, as Slack describes it."""

    team: str
    bot_user: str
    bot_id: str
    client: AsyncWebClient
    """Waits when Slack says so; for what is done once."""
    quick: AsyncWebClient
    """Gives up at once; for replies, which the turns try again themselves."""
    token: str
    enterprise: str | None = None
    is_org_wide: bool = False


class Workspaces:
    """Workspaces by team id."""

    def __init__(self, workspaces: Iterable[Workspace]) -> None:
        self._all = tuple(workspaces)
        self._by_team = {each.team: each for each in self._all if each.team}

    def __iter__(self) -> Iterator[Workspace]:
        return iter(self._all)

    def of(self, team: str | None, enterprise: str | None = None) -> Workspace | None:
        """The installation that serves *team*: its own, or that of the organisation as a whole."""
        if team in self._by_team:
            return self._by_team[team]
        shared = [each for each in self._all if each.is_org_wide and enterprise in (None, each.enterprise)]
        return shared[0] if len(shared) == 1 else None

    def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        """What Bolt needs to act in a workspace; None for one that never installed the app."""
        found = self.of(team_id, enterprise_id)
        if found is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id or found.team,
            bot_user_id=found.bot_user,
            bot_id=found.bot_id,
            bot_token=found.token,
        )


@asynccontextmanager
async def open_client(api_url: str | None) -> AsyncIterator[AsyncWebClient]:
    """A client without a token; each workspace brings its own.

    Only rate limits are retried here. After a broken connection a message may be there all the same, so posting
    again is left to the turns, which look first.
    """
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        yield AsyncWebClient(
            base_url=f"{(api_url or AsyncWebClient.BASE_URL).rstrip('/')}/",
            session=session,
            timeout=TIMEOUT_SECONDS,
            retry_handlers=[AsyncRateLimitErrorRetryHandler(max_retry_count=RATE_LIMIT_RETRIES)],
        )


async def open_workspaces(client: AsyncWebClient, tokens: str) -> Workspaces:
    """Ask Slack who each of the comma-separated *tokens* is for.

    Raises:
        SettingsError: Slack refuses one of them.
        ServiceError: Slack cannot be asked now.
    """
    return Workspaces([await _open(client, token.strip()) for token in tokens.split(",") if token.strip()])


async def _open(client: AsyncWebClient, token: str) -> Workspace:
    with translated():
        found = await client.auth_test(token=token)
    return Workspace(
        team=found.get("team_id") or "",
        bot_user=found["user_id"],
        bot_id=found.get("bot_id") or "",
        client=_for(client, token, client.retry_handlers),
        quick=_for(client, token, []),
        token=token,
        enterprise=found.get("enterprise_id"),
        is_org_wide=bool(found.get("is_enterprise_install")),
    )


def _for(client: AsyncWebClient, token: str, handlers: list[AsyncRetryHandler]) -> AsyncWebClient:
    return AsyncWebClient(
        token=token,
        base_url=client.base_url,
        session=client.session,
        timeout=client.timeout,
        retry_handlers=handlers,
    )
