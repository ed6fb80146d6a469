"""One message in the page's channel."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.incoming import Incoming
from bot.reply import Reply
from core.model import Chunk
from core.model.answer import utc_now

CHANNEL = "study-group"
"""The one channel of the page."""
API_CHANNEL = "api"
"""Where questions asked over the HTTP API stand; the page does not show it."""
BOT_ID = "footnote"
BOT_NAME = "Footnote"


class PostKind(StrEnum):
    """Who speaks: a member who asks, a member who only tells, a passage somebody shared, or the bot."""

    QUESTION = "question"
    NOTE = "note"
    PASSAGE = "passage"
    REPLY = "reply"


@dataclass(frozen=True, slots=True)
class Post:
    """A message that stands in the channel, or in a thread below another one."""

    id: str
    channel: str
    thread: str
    """The id of the post that the thread hangs on; its own where it stands in the channel."""
    kind: PostKind
    author_id: str
    author_name: str
    body: Mapping[str, object]
    created_at: str = field(default_factory=utc_now)

    @property
    def is_root(self) -> bool:
        return self.thread == self.id

    @property
    def reply(self) -> Reply | None:
        """What the bot says with it; None if a member speaks."""
        stored = self.body.get("reply")
        return Reply.from_dict(stored) if isinstance(stored, Mapping) else None


def event_id(post_id: str) -> str:
    """The ledger's name for the question that *post_id* asks."""
    return f"web:{post_id}"


def reply_id(question_id: str) -> str:
    """The same for every attempt at answering, so that a second attempt finds the first one's post."""
    return f"{question_id}.reply"


def to_question_post(incoming: Incoming) -> Post:
    """What a member asked, as it stands in the channel."""
    question = incoming.question
    return Post(
        id=incoming.event_id.removeprefix("web:"),
        channel=question.key.channel,
        thread=question.key.thread,
        kind=PostKind.QUESTION,
        author_id=incoming.member_id,
        author_name=incoming.member_name,
        body={
            "text": question.text,
            "quote": question.selected_text,
            "selection": str(question.selection),
            "filters": question.filters.to_dict(),
        },
        created_at=incoming.created_at,
    )


def to_reply_post(incoming: Incoming, reply: Reply, *, handle: str) -> Post:
    """The bot's reply below its question. *handle* names the turn to the feedback buttons."""
    asked = to_question_post(incoming)
    return Post(
        id=reply_id(asked.id),
        channel=asked.channel,
        thread=asked.thread,
        kind=PostKind.REPLY,
        author_id=BOT_ID,
        author_name=BOT_NAME,
        body={"question_id": asked.id, "handle": handle, "reply": reply.to_dict()},
    )


def to_passage_post(chunk: Chunk, *, post_id: str, author_id: str, author_name: str) -> Post:
    """A passage that a member shares with the channel."""
    return Post(
        id=post_id,
        channel=CHANNEL,
        thread=post_id,
        kind=PostKind.PASSAGE,
        author_id=author_id,
        author_name=author_name,
        body={
            "chunk_id": chunk.id,
            "text": chunk.text,
            "title": chunk.page_title,
            "section": chunk.section_title,
            "breadcrumb": chunk.breadcrumb,
            "url": chunk.url,
        },
    )
