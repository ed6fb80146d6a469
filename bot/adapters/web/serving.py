"""The HTTP server: our own socket, our own way to stop."""

import asyncio
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from bot.adapters.web.hub import Hub
from core.errors import SettingsError

LAST_REQUESTS_SECONDS = 3
"""How long requests may still take once we stop."""
_BACKLOG = 256


class _Server(uvicorn.Server):
    """A server that leaves the process's signals alone."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        SettingsError: the address cannot be used; the message says which setting to change.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio does not switch off the waiting for small packets: 40 ms for every answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        # There it would let two processes share the port; elsewhere it only allows a restart at once.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"The page cannot listen on {host}, port {port} ({error.strerror}). Is Footnote running already? "
            "Otherwise choose another port with FOOTNOTE_PORT."
        ) from error
    return listening


async def serve(app: ASGIApp, listening: socket.socket, *, hub: Hub, stop: asyncio.Event) -> None:
    """Serve *app* until *stop* is set; open streams are ended rather than cut."""
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=LAST_REQUESTS_SECONDS,
        )
    )
    stopping = asyncio.create_task(_stop(server, hub, stop))
    try:
        await server.serve(sockets=[listening])
    finally:
        stopping.cancel()


async def _stop(server: uvicorn.Server, hub: Hub, stop: asyncio.Event) -> None:
    await stop.wait()
    hub.close()
    server.should_exit = True
