"""What is told to open pages, in the form they draw from."""

from bot.adapters.web.hub import Happening
from bot.adapters.web.post import Post
from bot.adapters.web.rendering import render
from bot.adapters.web.schemas.channel import PostForm
from bot.surface import Progress


def post_happening(post: Post) -> Happening:
    """Somebody wrote something."""
    return Happening(
        "post",
        f"post:{post.id}",
        {"channel": post.channel, "post": PostForm.of(post).model_dump(mode="json")},
    )


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
