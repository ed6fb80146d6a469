"""The connection to Slack, watched: one that is closed, or open but deaf, is replaced by a new one."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.trouble import translated
from core.errors import ServiceBusy, ServiceError

log = logging.getLogger(__name__)

CONNECT_SECONDS = 30.0
RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)


@dataclass(frozen=True, slots=True)
class Watch:
    """How closely the connection is watched."""

    ping_seconds: float = 10.0
    deaf_after_seconds: float = 600.0
    """When nothing came for so long, a new connection is opened; in a quiet group that does no harm."""
    check_every_seconds: float = 10.0


class Presence(Protocol):
    """What wants to know whether we hear Slack. Telling it never fails."""

    async def arrived(self, silent_seconds: float = 0.0) -> None:
        """From now on; before, nothing came for *silent_seconds* though we listened."""

    async def present(self) -> None:
        """Still."""


class Line:
    """Keeps one connection in Socket Mode alive.

    Slack itself asks for a new connection every few hours, which the SDK does. Here we see to what it does not
    notice: a connection on which nothing comes any more, or that cannot be opened again.
    """

    def __init__(
        self,
        app: AsyncApp,
        client: AsyncWebClient,
        app_token: str,
        *,
        presence: Presence,
        watch: Watch = Watch(),
    ) -> None:
        self._app = app
        self._client = client
        self._app_token = app_token
        self._presence = presence
        self._watch = watch
        self._heard_at = 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Listen until *stop*.

        Raises:
            SettingsError: Slack refuses the app token.
        """
        handler = await self._open(stop)
        try:
            while handler is not None and not await waited(stop, self._watch.check_every_seconds):
                if await self._is_deaf(handler):
                    log.warning("nothing comes from Slack any more; opening a new connection")
                    old, handler = handler, await self._open(stop)
                    await _close(old)
                else:
                    await self._presence.present()
        finally:
            if handler is not None:
                await _close(handler)

    async def _is_deaf(self, handler: AsyncSocketModeHandler) -> bool:
        is_quiet = monotonic() - self._heard_at > self._watch.deaf_after_seconds
        return is_quiet or not await handler.client.is_connected()

    async def _open(self, stop: asyncio.Event) -> AsyncSocketModeHandler | None:
        """A connection that is open; None if we were stopped before."""
        failures = 0
        while not stop.is_set():
            try:
                return await self._connect()
            except (ServiceError, TimeoutError) as error:
                pause = RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)]
                if isinstance(error, ServiceBusy):
                    pause = max(pause, error.retry_after or 0)
                log.warning("cannot connect to Slack (%s); again in %.0f s", type(error).__name__, pause)
                failures += 1
                await waited(stop, pause)
        return None

    async def _connect(self) -> AsyncSocketModeHandler:
        # The SDK would try a used-up address for ever and hide a refused token, so we fetch the address ourselves.
        with translated():
            opened = await self._client.apps_connections_open(app_token=self._app_token)
        handler = AsyncSocketModeHandler(
            self._app, self._app_token, web_client=self._client, ping_interval=self._watch.ping_seconds
        )
        handler.client.wss_uri = str(opened["url"])
        handler.client.message_listeners.append(self._hear)
        try:
            await asyncio.wait_for(handler.client.connect(), CONNECT_SECONDS)  # type: ignore[no-untyped-call] # SDK
        except TimeoutError:
            await _close(handler)
            raise
        now = monotonic()
        silent = now - self._heard_at if self._heard_at else 0.0
        self._heard_at = now
        await self._presence.arrived(silent)
        log.info("connected to Slack")
        return handler

    async def _hear(self, client: Any, message: dict[str, Any], raw: str | None) -> None:
        self._heard_at = monotonic()


async def _close(handler: AsyncSocketModeHandler) -> None:
    """Close a connection, however it is, without waiting for Slack to agree."""
    client = handler.client
    with suppress(Exception):
        await asyncio.wait_for(client.close(), 5)  # type: ignore[no-untyped-call] # SDK
    waiting = (client.message_processor, client.current_session_monitor, client.message_receiver)
    await asyncio.gather(*(task for task in waiting if task is not None), return_exceptions=True)


async def waited(stop: asyncio.Event, seconds: float) -> bool:
    """Wait; True if *stop* came first."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
    return stop.is_set()
