"""What stands in the channel, and how it goes."""

import pytest

from bot.adapters.web.hub import Hub
from bot.adapters.web.post import CHANNEL, Post, PostKind
from bot.adapters.web.posts import Posts
from bot.adapters.web.surface import ChannelSurface
from bot.incoming import Incoming
from bot.reply import Reply
from bot.surface import Delivery
from core.model import LOCAL_GROUP, Question, SessionKey
from core.store.database import Database
from core.store.sessions import Sessions


def _post(post_id: str, *, thread: str | None = None, created_at: str = "2026-01-02T00:00:00.000Z") -> Post:
    return Post(
        id=post_id,
        channel=CHANNEL,
        thread=thread or post_id,
        kind=PostKind.NOTE,
        author_id="web:a",
        author_name="Ada",
        body={"text": f"words of {post_id}"},
        created_at=created_at,
    )


@pytest.fixture
def posts(database: Database) -> Posts:
    return Posts(database)


async def test_the_same_post_is_kept_once(posts: Posts) -> None:
    assert await posts.add(_post("a")) is True
    assert await posts.add(_post("a")) is False

    assert await posts.thread("a") == [_post("a")]


async def test_the_channel_is_read_page_by_page_from_its_end(posts: Posts) -> None:
    for name in "abcde":
        await posts.add(_post(name))
    await posts.add(_post("reply", thread="d", created_at="2026-01-03T00:00:00.000Z"))

    last = await posts.channel(CHANNEL, limit=2)
    before = await posts.channel(CHANNEL, limit=2, before=last[0].position)

    assert [(root.post.id, root.reply_count) for root in last] == [("d", 1), ("e", 0)]
    assert [root.post.id for root in before] == ["b", "c"]
    assert await posts.glance("d") == (1, "2026-01-03T00:00:00.000Z")


async def test_a_thread_goes_with_its_conversation_whoever_deletes_it(posts: Posts, database: Database) -> None:
    sessions = Sessions(database, model="scripted")
    await posts.add(_post("a"))
    await posts.add(_post("b"))
    session = await sessions.open(Question("How?", key=SessionKey("web", LOCAL_GROUP, CHANNEL, "a")))

    await sessions.forget(session.id, group=LOCAL_GROUP)

    assert await posts.thread("a") == []
    assert len(await posts.thread("b")) == 1


async def test_old_threads_are_deleted_and_live_ones_stay_whole(posts: Posts) -> None:
    await posts.add(_post("zanzibar", created_at="2025-01-01T00:00:00.000Z"))
    await posts.add(_post("live", created_at="2025-01-01T00:00:00.000Z"))
    await posts.add(_post("answer", thread="live", created_at="2026-06-01T00:00:00.000Z"))

    assert await posts.delete_before("2026-01-01T00:00:00.000Z") == 1

    assert len(await posts.thread("live")) == 2
    assert await posts.thread("zanzibar") == []


async def test_a_reply_that_is_delivered_twice_stands_once_below_its_question(
    posts: Posts, database: Database
) -> None:
    question = Question("How?", key=SessionKey("web", LOCAL_GROUP, CHANNEL, "q"))
    surface = ChannelSurface(
        Incoming(event_id="web:q", member_id="m", member_name="Ada", question=question), posts=posts, hub=Hub()
    )
    saved: list[str] = []

    async def save(message_id: str) -> None:
        saved.append(message_id)

    for _ in range(2):
        await surface.deliver(Reply.notice("Once."), Delivery(posted=(), save=save, nonce="0123456789abcdef"))

    assert [post.id for post in await posts.thread("q")] == ["q", "q.reply"]
    assert saved == ["q.reply"] * 2
