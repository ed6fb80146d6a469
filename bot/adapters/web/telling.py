"""What is told to open pages, in the form they draw from."""

from bot.adapters.web.hub import Happening, Hub
from bot.adapters.web.post import Post
from bot.adapters.web.posts import Posts
from bot.adapters.web.rendering import render
from bot.adapters.web.schemas.channel import PostForm
from bot.surface import Progress


async def tell_post(post: Post, *, posts: Posts, hub: Hub) -> None:
    """Let open pages know that *post* was written, and how its thread looks from the channel now."""
    reply_count, last_reply_at = await posts.glance(post.thread)
    hub.tell(
        Happening(
            "post",
            post_key(post.id),
            {
                "channel": post.channel,
                "post": PostForm.of(post).model_dump(mode="json"),
                "reply_count": reply_count,
                "last_reply_at": last_reply_at,
            },
        )
    )


def post_key(post_id: str) -> str:
    """What a post is told under."""
    return f"post:{post_id}"


def forgotten_happening(thread: str, channel: str) -> Happening:
    """A thread is gone."""
    return Happening("forgotten", f"forgotten:{thread}", {"thread": thread, "channel": channel})


def progress_happening(question: Post, progress: Progress) -> Happening:
    """An answer has come further."""
    return Happening(
        "progress",
        progress_key(question.id),
        {
            "channel": question.channel,
            "thread": question.thread,
            "question_id": question.id,
            "queue_place": progress.queue_place,
            "stage": str(progress.stage) if progress.stage else None,
            "text": progress.text,
            "html": render(progress.text) if progress.text else "",
        },
    )


def progress_key(question_id: str) -> str:
    """One for each question: only its newest progress matters."""
    return f"progress:{question_id}"
