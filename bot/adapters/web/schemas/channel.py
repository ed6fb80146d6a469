"""The page's channel as JSON: posts with their text already rendered safely."""

from typing import Annotated

from pydantic import BaseModel, Field, Strict

from bot.adapters.web.post import Post, PostKind
from bot.adapters.web.posts import Root
from bot.adapters.web.rendering import render
from bot.adapters.web.schemas.chat import FiltersForm, QuestionText, SelectedText
from bot.reply import Footnote, Reply
from core.model import Selection

PostId = Field(pattern=r"^[0-9a-f]{32}$", description="Chosen by the sender; sending it again changes nothing.")


class NewPost(BaseModel):
    """What a member writes in the channel or in a thread."""

    id: str = PostId
    text: QuestionText
    thread: str | None = Field(default=None, description="The thread it belongs to; without one it starts one.")
    quote: SelectedText | None = Field(default=None, description="The message or passage it is about.")
    selection: Selection = Field(default=Selection.MESSAGE, description="Where the quote comes from.")
    asks: Annotated[bool, Strict()] = Field(
        default=True, description="False: only say it to the group; the bot stays silent."
    )
    filters: FiltersForm = Field(default_factory=FiltersForm)
    member_name: str = Field(default="You", min_length=1, max_length=40)


class SharedPassage(BaseModel):
    """A passage that a member found and shows to everybody."""

    id: str = PostId
    chunk_id: str = Field(max_length=64)
    member_name: str = Field(default="You", min_length=1, max_length=40)


class FootnoteForm(BaseModel):
    """A footnote as the page lists it."""

    number: int
    title: str
    section: str | None
    breadcrumb: str
    url: str
    quote: str
    chunk_id: str

    @classmethod
    def of(cls, footnote: Footnote) -> "FootnoteForm":
        return cls(
            number=footnote.number,
            title=footnote.title,
            section=footnote.section,
            breadcrumb=footnote.breadcrumb,
            url=footnote.url,
            quote=footnote.quote,
            chunk_id=footnote.chunk_id,
        )


class NearestForm(BaseModel):
    """A section offered where the book does not answer."""

    title: str
    section: str | None
    url: str
    chunk_id: str


class ReplyForm(BaseModel):
    """What only the bot's posts carry."""

    question_id: str
    handle: str
    kind: str
    footnotes: list[FootnoteForm]
    nearest: list[NearestForm]
    notes: list[str]
    confidence: float
    confidence_level: str
    code: str
    retry_after: int | None
    reference: str
    session_id: str
    model_used: str

    @classmethod
    def of(cls, post: Post, reply: Reply) -> "ReplyForm":
        return cls(
            question_id=str(post.body["question_id"]),
            handle=str(post.body["handle"]),
            kind=str(reply.kind),
            footnotes=[FootnoteForm.of(footnote) for footnote in reply.footnotes],
            nearest=[
                NearestForm(title=near.title, section=near.section, url=near.url, chunk_id=near.chunk_id)
                for near in reply.nearest
            ],
            notes=list(reply.notes),
            confidence=reply.confidence,
            confidence_level=reply.confidence_level,
            code=reply.code,
            retry_after=reply.retry_after,
            reference=reply.reference,
            session_id=reply.session_id,
            model_used=reply.model_used,
        )


class PassageForm(BaseModel):
    """What only shared passages carry."""

    chunk_id: str
    title: str
    section: str | None
    breadcrumb: str
    url: str


class PostForm(BaseModel):
    """One post as the page shows it."""

    id: str
    thread: str
    kind: PostKind
    author_id: str
    author_name: str
    created_at: str
    text: str
    html: str = Field(description="The text rendered from Markdown; no HTML of its source survives in it.")
    quote: str | None = None
    reply: ReplyForm | None = None
    passage: PassageForm | None = None

    @classmethod
    def of(cls, post: Post) -> "PostForm":
        reply = post.reply
        text = reply.text if reply else str(post.body["text"])
        quote = post.body.get("quote")
        return cls(
            id=post.id,
            thread=post.thread,
            kind=post.kind,
            author_id=post.author_id,
            author_name=post.author_name,
            created_at=post.created_at,
            text=text,
            html=render(text, footnotes=footnote_labels(reply) if reply else None),
            quote=str(quote) if quote else None,
            reply=ReplyForm.of(post, reply) if reply else None,
            passage=PassageForm.model_validate(post.body) if post.kind is PostKind.PASSAGE else None,
        )


class RootForm(PostForm):
    """A post in the channel with a glance at its thread."""

    position: int
    reply_count: int
    last_reply_at: str | None

    @classmethod
    def of_root(cls, root: Root) -> "RootForm":
        return cls(
            **PostForm.of(root.post).model_dump(),
            position=root.position,
            reply_count=root.reply_count,
            last_reply_at=root.last_reply_at,
        )


class ChannelForm(BaseModel):
    """What the page shows when it opens."""

    name: str
    me: str = Field(description="The author_id of whoever reads this.")
    book: str | None = Field(description="The book this channel asks; None means all of them.")
    posts: list[RootForm]
    has_earlier: bool


class ThreadForm(BaseModel):
    """One thread, the post it hangs on first."""

    posts: list[PostForm]
    session_id: str | None


class BookChoice(BaseModel):
    """The book a channel asks from now on; None means all of them."""

    book: str | None = Field(default=None, max_length=200)


def footnote_labels(reply: Reply) -> dict[int, str]:
    """What a screen reader says for each mark."""
    return {
        footnote.number: f"{footnote.title}, {footnote.section}" if footnote.section else footnote.title
        for footnote in reply.footnotes
    }
