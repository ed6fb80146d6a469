"""The page's channel: reading it, writing in it, forgetting a thread."""

from dataclasses import replace

from fastapi import APIRouter, Request, Response

from bot.adapters.web.asking import to_incoming
from bot.adapters.web.members import known_member
from bot.adapters.web.parts import Parts, PartsOf
from bot.adapters.web.post import CHANNEL, Post, PostKind, event_id, to_passage_post, to_question_post
from bot.adapters.web.posts import PAGE_POSTS
from bot.adapters.web.problems import DOOR, NOT_FOUND, PROBLEMS, not_found
from bot.adapters.web.schemas.channel import (
    BookChoice,
    ChannelForm,
    NewPost,
    PostForm,
    RootForm,
    SharedPassage,
    ThreadForm,
)
from bot.adapters.web.telling import forgotten_happening
from bot.member import Member
from bot.spoken import Wish, to_spoken
from core.model import LOCAL_GROUP, Question, SessionKey

router = APIRouter(prefix="/api/channel", tags=["channel"], responses={**DOOR, **NOT_FOUND, **PROBLEMS})

PAGE_WISHES = {Wish.GREETING, Wish.THANKS, Wish.NOTHING, Wish.SOURCE, Wish.STOP}
"""What plain words do here. For the rest the page has buttons and commands of its own."""


@router.get("")
async def read_channel(request: Request, parts: PartsOf, before: int | None = None) -> ChannelForm:
    """The newest posts, or those before the position *before*."""
    roots = await parts.posts.channel(CHANNEL, before=before)
    return ChannelForm(
        name=CHANNEL,
        me=known_member(request).id,
        book=await parts.library.binding(LOCAL_GROUP, CHANNEL),
        posts=[RootForm.of_root(root) for root in roots],
        has_earlier=len(roots) == PAGE_POSTS,
    )


@router.get("/threads/{thread}")
async def read_thread(thread: str, parts: PartsOf) -> ThreadForm:
    """One thread with all its posts."""
    posts = await parts.posts.thread(thread)
    if not posts:
        raise not_found("This thread was forgotten, or never was.")
    session = await parts.sessions.find(_place(thread))
    return ThreadForm(posts=[PostForm.of(post) for post in posts], session_id=session.id if session else None)


@router.post("/posts", status_code=202)
async def write_post(new: NewPost, request: Request, parts: PartsOf) -> PostForm:
    """Ask, or only tell the group something. The answer comes as an event and stands in the thread."""
    await _check_thread(parts, new.thread)
    member = known_member(request)
    question = Question(
        text=new.text,
        selected_text=new.quote,
        selection=new.selection,
        filters=new.filters.to_filters(),
        key=_place(new.thread or new.id),
    )
    incoming = to_incoming(question, post_id=new.id, member_id=member.id, member_name=new.member_name)
    spoken = to_spoken(new.text) if new.asks and not new.quote else None
    if spoken is not None and spoken.wish in PAGE_WISHES:
        reply = await parts.wishes.grant(spoken, replace(member, key=question.key))
        if reply is not None:
            await parts.asking.tell(incoming, reply)
            return PostForm.of(to_question_post(incoming))
    elif new.asks:
        await parts.asking.put(incoming)
        return PostForm.of(to_question_post(incoming))
    note = _note(to_question_post(incoming))
    await parts.asking.show(note)
    return PostForm.of(note)


@router.post("/passages", status_code=201)
async def share_passage(shared: SharedPassage, request: Request, parts: PartsOf) -> PostForm:
    """Show a passage that was found to everybody in the channel."""
    chunk = await parts.library.chunk(shared.chunk_id, group=LOCAL_GROUP)
    if chunk is None:
        raise not_found("This passage is no longer in the library.")
    member = known_member(request)
    post = to_passage_post(chunk, post_id=shared.id, author_id=member.id, author_name=shared.member_name)
    await parts.asking.show(post)
    return PostForm.of(post)


@router.post("/posts/{post_id}/stop", status_code=204)
async def stop(post_id: str, parts: PartsOf) -> Response:
    """Break off the answer to this question."""
    if not parts.turns.stop(event_id(post_id)):
        raise not_found("There is nothing to stop: the answer is there already.")
    return Response(status_code=204)


@router.delete("/threads/{thread}", status_code=204)
async def forget_thread(thread: str, parts: PartsOf) -> Response:
    """Delete a thread and the memory of it, for good."""
    if not await parts.posts.thread(thread):
        raise not_found("This thread was forgotten already.")
    await forget_place(parts, _place(thread))
    return Response(status_code=204)


@router.put("/book", status_code=204)
async def choose_book(choice: BookChoice, parts: PartsOf) -> Response:
    """Let this channel ask one book only, or all of them."""
    await parts.library.bind(LOCAL_GROUP, CHANNEL, choice.book)
    return Response(status_code=204)


async def forget_place(parts: Parts, key: SessionKey) -> None:
    """Forget a conversation everywhere: its posts, its session and its turns."""
    parts.turns.stop_all(key)
    await parts.desk.forget(Member("operator", "operator", key, is_leader=True))
    await parts.posts.forget_thread(key.thread)
    parts.hub.tell(forgotten_happening(key.thread, key.channel))


async def _check_thread(parts: Parts, thread: str | None) -> None:
    if thread is None:
        return
    root = await parts.posts.find(thread)
    if root is None or not root.is_root or root.channel != CHANNEL:
        raise not_found("This thread was forgotten, so nothing can be added to it.")


def _place(thread: str) -> SessionKey:
    return SessionKey("web", LOCAL_GROUP, CHANNEL, thread)


def _note(post: Post) -> Post:
    return Post(
        id=post.id,
        channel=post.channel,
        thread=post.thread,
        kind=PostKind.NOTE,
        author_id=post.author_id,
        author_name=post.author_name,
        body=post.body,
        created_at=post.created_at,
    )
