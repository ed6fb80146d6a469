"""The page as a place for replies: posts in the database, and word of them to whoever is looking."""

from bot.adapters.web.hub import Hub
from bot.adapters.web.post import to_question_post, to_reply_post
from bot.adapters.web.posts import Posts
from bot.adapters.web.telling import progress_happening, progress_key, tell_post
from bot.incoming import Incoming
from bot.reply import Reply
from bot.surface import Delivery, OpenSurface, Progress


class ChannelSurface:
    """One turn's place in the channel."""

    def __init__(self, incoming: Incoming, *, posts: Posts, hub: Hub) -> None:
        self._incoming = incoming
        self._question = to_question_post(incoming)
        self._posts = posts
        self._hub = hub

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Tell how far the answer has come. Nothing is stored: after a restart it is told anew."""
        self._hub.tell_progress(progress_happening(self._question, progress))

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        """Store the reply as a post. Its id hangs on the question's, so there is never a second one."""
        # A stop between the event's row and its post leaves the question out of the channel; not any longer.
        await self._posts.add(self._question)
        post = to_reply_post(self._incoming, reply, handle=delivery.nonce)
        await self._posts.add(post)
        await delivery.save(post.id)
        self._hub.end_progress(progress_key(self._question.id))
        await tell_post(post, posts=self._posts, hub=self._hub)


def surfaces(posts: Posts, hub: Hub) -> OpenSurface:
    """What the turns call to find the place of a stored event again."""

    def open_surface(incoming: Incoming) -> ChannelSurface:
        return ChannelSurface(incoming, posts=posts, hub=hub)

    return open_surface
