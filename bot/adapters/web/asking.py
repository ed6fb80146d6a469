"""A question over HTTP: stored as a turn first, then followed until its reply stands."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

from bot.adapters.web.hub import CLOSING, Happening, Hub, Mailbox
from bot.adapters.web.post import API_CHANNEL, Post, event_id, reply_id, to_question_post
from bot.adapters.web.posts import Posts
from bot.adapters.web.telling import post_key, progress_key, tell_post
from bot.incoming import Incoming
from bot.reply import Reply
from bot.turns import Turns
from core.errors import ServiceDown, ServiceTimeout
from core.model import LOCAL_GROUP, Question, SessionKey
from core.model.question import check_uuid4
from core.store.sessions import Sessions

REPLY_TIMEOUT_SECONDS = 120.0
"""How long a request is held open. The turn itself goes on, and its answer is remembered."""

RESTART_SECONDS = 10
"""How soon a host commonly has us back; the question is stored and answered then."""


class Asking:
    """Puts questions to the turns and waits for what becomes of them."""

    def __init__(self, *, turns: Turns, posts: Posts, hub: Hub, sessions: Sessions) -> None:
        self._turns = turns
        self._posts = posts
        self._hub = hub
        self._sessions = sessions

    async def key_for(self, post_id: str, session_id: str | None) -> SessionKey:
        """Where an API question is asked: in its session's own place, else in a new one.

        Raises:
            QuestionError: *session_id* is not a session's id at all.
            UnknownSession: it names a session that is not this machine's.
        """
        if session_id is None:
            return SessionKey("web", LOCAL_GROUP, API_CHANNEL, post_id)
        check_uuid4(session_id)
        session = await self._sessions.get(session_id, group=LOCAL_GROUP)
        if session.key.platform == "web":
            return session.key
        return SessionKey("web", LOCAL_GROUP, API_CHANNEL, session.id)

    async def put(self, incoming: Incoming) -> bool:
        """Store the question and show it; False if it was asked before."""
        is_new = await self._turns.receive(incoming)
        await self.show(to_question_post(incoming))
        return is_new

    async def tell(self, incoming: Incoming, reply: Reply) -> None:
        """Show words whose reply is known already, and that reply below them."""
        await self.show(to_question_post(incoming))
        await self._turns.tell(incoming, reply)

    async def show(self, post: Post) -> None:
        """Have a post stand in the channel, once."""
        if await self._posts.add(post):
            await tell_post(post, posts=self._posts, hub=self._hub)

    async def follow(self, incoming: Incoming) -> AsyncIterator[Happening | Reply]:
        """Ask, tell each step of the answer, and end with the reply.

        Raises:
            ServiceTimeout: the reply did not come in time.
            ServiceDown: we are stopping; the question is kept and answered at the next start.
        """
        post_id = to_question_post(incoming).id
        wanted = {progress_key(post_id), post_key(reply_id(post_id))}
        with self._hub.listen(lambda happening: happening.key in wanted) as mailbox:
            deadline = monotonic() + REPLY_TIMEOUT_SECONDS
            await self.put(incoming)
            while (reply := await self._reply(post_id)) is None:
                happening = await _next(mailbox, deadline)
                if happening.kind != "post":
                    yield happening
        yield reply

    async def reply_to(self, incoming: Incoming) -> Reply:
        """Ask and wait for the reply alone."""
        async for step in self.follow(incoming):
            if isinstance(step, Reply):
                return step
        raise AssertionError("following always ends with a reply")

    async def _reply(self, post_id: str) -> Reply | None:
        post = await self._posts.find(reply_id(post_id))
        return post.reply if post else None


async def _next(mailbox: Mailbox, deadline: float) -> Happening:
    try:
        happening = await asyncio.wait_for(mailbox.get(), deadline - monotonic())
    except TimeoutError as error:
        raise ServiceTimeout("answer", "it took too long") from error
    if happening is CLOSING:
        raise ServiceDown("answer", "we are stopping; the question is kept", retry_after=RESTART_SECONDS)
    return happening


def to_incoming(question: Question, *, post_id: str, member_id: str, member_name: str) -> Incoming:
    """A question of the page or the API as the turns take it."""
    return Incoming(event_id=event_id(post_id), member_id=member_id, member_name=member_name, question=question)
