"""The gateway: HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, and what a bot without an intent sees."""

import asyncio
import json
import secrets
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import WSMsgType, web

from tests.fakes.discord.wire import Json
from tests.fakes.discord.world import BOT_ID, DM, World

MESSAGE_CONTENT, GUILD_MEMBERS, PRESENCES = 1 << 15, 1 << 1, 1 << 8
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 9, 1 << 12
MAX_PAYLOAD = 4096
CLOSED_BY_CLIENT = 1000


class Session:
    """One bot session. It outlives its socket, so that RESUME can replay what was missed."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(16)
        self.socket: web.WebSocketResponse | None = None
        self.compressor: zlib._Compress | None = None
        self.intents = 0
        self.heartbeats = 0
        self._sequence = 0
        self._sent: list[Json] = []
        self._lock = asyncio.Lock()

    async def send(self, payload: Json) -> None:
        if self.socket is None or self.socket.closed:
            return
        text = json.dumps(payload, separators=(",", ":"))
        # A socket that breaks now is noticed by its reader.
        with suppress(ConnectionError, RuntimeError):
            if self.compressor is None:
                await self.socket.send_str(text)
            else:
                packed = self.compressor.compress(text.encode()) + self.compressor.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(packed)

    async def dispatch(self, event: str, body: object) -> None:
        async with self._lock:
            self._sequence += 1
            payload = {"op": 0, "t": event, "s": self._sequence, "d": body}
            self._sent.append(payload)
            await self.send(payload)

    async def replay(self, after: int) -> None:
        async with self._lock:
            for payload in self._sent:
                if payload["s"] > after:
                    await self.send(payload)


class Gateway:
    """Every bot session. Events go to all of them, each sees what its intents allow."""

    def __init__(
        self, world: World, *, token: str, address: Callable[[], str], on_change: Callable[[], Awaitable[None]]
    ) -> None:
        self._on_change = on_change
        self.sessions: dict[str, Session] = {}
        self.privileged = MESSAGE_CONTENT
        self.heartbeat_ms = 41250
        self.is_refusing = False
        """Close every new socket at once, as in an outage."""
        self.refused = 0
        self.forgets_sessions = False
        """Answer RESUME with an invalid session."""
        self.replays = True
        """Whether what was missed is replayed; after a long absence it is not."""
        self._world = world
        self._token = token
        self._address = address

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=2**20)
        await socket.prepare(request)
        if self.is_refusing:
            await socket.close(code=1011)
            self.refused += 1
            await self._on_change()
            return socket
        session = Session()
        session.socket = socket
        if request.query.get("compress") == "zlib-stream":
            session.compressor = zlib.compressobj()
        await session.send({"op": 10, "d": {"heartbeat_interval": self.heartbeat_ms}, "s": None, "t": None})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            if len(message.data) > MAX_PAYLOAD:
                await socket.close(code=4002)
                break
            session = await self._take(session, json.loads(message.data))
        if socket.close_code == CLOSED_BY_CLIENT and session.socket is socket:
            # A bot that says goodbye cannot resume.
            self.sessions.pop(session.id, None)
        return socket

    async def _take(self, session: Session, payload: Json) -> Session:
        body = payload.get("d")
        if payload["op"] == 1:
            session.heartbeats += 1
            await session.send({"op": 11, "d": None, "s": None, "t": None})
        elif payload["op"] == 2:
            await self._identify(session, body or {})
        elif payload["op"] == 6:
            return await self._resume(session, body or {})
        return session

    async def _identify(self, session: Session, body: Json) -> None:
        assert session.socket is not None
        if body["token"] != self._token:
            await session.socket.close(code=4004, message=b"Authentication failed.")
            return
        if body["intents"] & (MESSAGE_CONTENT | GUILD_MEMBERS | PRESENCES) & ~self.privileged:
            await session.socket.close(code=4014, message=b"Disallowed intent(s).")
            return
        session.intents = body["intents"]
        self.sessions[session.id] = session
        ready = {
            "v": 10,
            "user": self._world.bot,
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self._address(),
            "guilds": [{"id": each, "unavailable": True} for each in self._world.guilds],
            "application": {"id": BOT_ID, "flags": 1 << 19},
            "shard": body.get("shard", [0, 1]),
            "private_channels": [],
        }
        await session.dispatch("READY", ready)
        for guild in self._world.guilds.values():
            await session.dispatch("GUILD_CREATE", self.seen_guild(guild))
        await self._on_change()

    def seen_guild(self, guild: Json) -> Json:
        """A server as a bot sees it; threads that were archived are not in it."""
        active = [each for each in guild["threads"] if not each["thread_metadata"]["archived"]]
        return {**guild, "threads": active, "members": [self._world.member(guild["id"], self._world.bot)]}

    async def _resume(self, session: Session, body: Json) -> Session:
        old = self.sessions.get(body["session_id"])
        if old is None or self.forgets_sessions:
            self.sessions.pop(body["session_id"], None)
            await session.send({"op": 9, "d": False, "s": None, "t": None})
            return session
        old.socket, old.compressor = session.socket, session.compressor
        await old.replay(body["seq"] or 0)
        await old.dispatch("RESUMED", {"_trace": []})
        await self._on_change()
        return old

    async def tell(self, event: str, body: Json) -> None:
        """Send an event to every session, or keep it for its RESUME."""
        for session in list(self.sessions.values()):
            is_message = event in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}
            if is_message and not self._hears(session, body):
                continue
            await session.dispatch(event, self._seen_message(body, session) if is_message else body)

    def _hears(self, session: Session, message: Json) -> bool:
        is_direct = self._world.channels[message["channel_id"]]["type"] == DM
        return bool(session.intents & (DIRECT_MESSAGES if is_direct else GUILD_MESSAGES))

    def _seen_message(self, message: Json, session: Session) -> Json:
        """The message without its words, where the bot did not ask for them and they are not for it."""
        is_direct = self._world.channels[message["channel_id"]]["type"] == DM
        is_for_bot = any(user["id"] == BOT_ID for user in message["mentions"])
        is_own = message["author"]["id"] == BOT_ID
        seen = dict(message)
        if not (session.intents & MESSAGE_CONTENT or is_direct or is_for_bot or is_own):
            seen |= {"content": "", "embeds": [], "attachments": [], "components": []}
        if seen.get("referenced_message"):
            seen["referenced_message"] = self._seen_message(seen["referenced_message"], session)
        return seen

    async def drop(self, code: int = 4000) -> None:
        """Break every socket; the sessions can be resumed."""
        for session in list(self.sessions.values()):
            if session.socket is not None:
                await session.socket.close(code=code)
