"""Socket Mode: tickets, envelopes, acknowledgements within their deadline, retries."""

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from tests.fakes.slack.world import APP_ID, Json

MAX_SOCKETS = 10


class Sockets:
    """The connections of one app."""

    def __init__(
        self, *, ack_seconds: float, retry_pauses: tuple[float, ...], on_change: Callable[[], None]
    ) -> None:
        self.ack_seconds = ack_seconds
        self.retry_pauses = retry_pauses
        self.open: list[web.WebSocketResponse] = []
        self.tickets: set[str] = set()
        self.acks: list[Json] = []
        self.unacked: list[Json] = []
        self.is_deaf = False
        """Connections live and answer pings, but nothing is sent over them."""
        self.connections = 0
        self._pending: dict[str, tuple[float, asyncio.Future[Json]]] = {}
        self._changed = on_change
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turn = 0

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self.tickets:
            raise web.HTTPForbidden
        self.tickets.discard(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if len(self.open) >= MAX_SOCKETS:
            await socket.send_json({"type": "disconnect", "reason": "too_many_websockets"})
            await socket.close()
            return socket
        self.open.append(socket)
        self.connections += 1
        await socket.send_json(_hello(len(self.open)))
        self._changed()
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._take_ack(json.loads(message.data))
        finally:
            self.open.remove(socket)
            self._changed()
        return socket

    def _take_ack(self, message: Json) -> None:
        sent, waiting = self._pending.pop(message.get("envelope_id", ""), (0.0, None))
        if waiting is not None and not waiting.done():
            ack = {"acked": True, "payload": message.get("payload"), "seconds": time.monotonic() - sent}
            self.acks.append(ack)
            waiting.set_result(ack)
            self._changed()

    async def send(self, kind: str, payload: Json, *, accepts_payload: bool, **extra: Any) -> Json:
        """Send one envelope over one of the connections and wait for its acknowledgement."""
        envelope: Json = {"envelope_id": secrets.token_hex(8), "type": kind, "payload": payload}
        envelope |= {"accepts_response_payload": accepts_payload, **extra}
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._pending[envelope["envelope_id"]] = (time.monotonic(), waiting)
        live = [socket for socket in self.open if not socket.closed]
        if live and not self.is_deaf:
            self._turn += 1
            with suppress(ConnectionError):
                await live[self._turn % len(live)].send_str(json.dumps(envelope))
        try:
            return await asyncio.wait_for(waiting, self.ack_seconds)
        except TimeoutError:
            self._pending.pop(envelope["envelope_id"], None)
            return {"acked": False, "payload": None, "seconds": None}

    def deliver(self, payload: Json) -> "asyncio.Task[bool]":
        """Deliver an event as Slack does: again at once, after a minute and after five, until acknowledged."""
        task = asyncio.create_task(self._deliver(payload))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _deliver(self, payload: Json) -> bool:
        for attempt, pause in enumerate((0.0, *self.retry_pauses)):
            await asyncio.sleep(pause)
            reason = "timeout" if attempt else ""
            ack = await self.send(
                "events_api", payload, accepts_payload=False, retry_attempt=attempt, retry_reason=reason
            )
            if ack["acked"]:
                return True
        self.unacked.append(payload)
        self._changed()
        return False

    async def disconnect(self, reason: str) -> None:
        """Ask every connection to come back on a new one."""
        for socket in list(self.open):
            await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "local"}})

    async def drop(self) -> None:
        """Cut every connection without a word."""
        for socket in list(self.open):
            await socket.close(code=1001)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.drop()


def _hello(connections: int) -> Json:
    return {
        "type": "hello",
        "num_connections": connections,
        "debug_info": {"host": "local", "approximate_connection_time": 18060},
        "connection_info": {"app_id": APP_ID},
    }
