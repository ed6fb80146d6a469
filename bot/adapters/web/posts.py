"""What stands in the page's channel, in SQLite: a restart loses and doubles nothing."""

import json
from dataclasses import dataclass

from bot.adapters.web.post import Post, PostKind
from core.store.connection import Row
from core.store.database import Database

PAGE_POSTS = 40
"""How many posts of the channel are shown at once; earlier ones come when asked for."""


@dataclass(frozen=True, slots=True)
class Root:
    """A post in the channel with what is known of its thread."""

    post: Post
    position: int
    reply_count: int
    last_reply_at: str | None


class Posts:
    """Reads and writes posts. Putting the same id twice leaves one post."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, post: Post) -> bool:
        """Store *post* unless its id is there already; False then."""
        async with self._database.write() as tx:
            added = await tx.fetch_all(
                "INSERT INTO web_posts (id, channel, thread, kind, author_id, author_name, body, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id",
                (
                    post.id,
                    post.channel,
                    post.thread,
                    str(post.kind),
                    post.author_id,
                    post.author_name,
                    json.dumps(post.body, ensure_ascii=False),
                    post.created_at,
                ),
            )
        return bool(added)

    async def find(self, post_id: str) -> Post | None:
        row = await self._database.fetch_one("SELECT * FROM web_posts WHERE id = ?", (post_id,))
        return _to_post(row) if row else None

    async def thread(self, thread: str) -> list[Post]:
        """A thread's posts, the one it hangs on first."""
        rows = await self._database.fetch_all(
            "SELECT * FROM web_posts WHERE thread = ? ORDER BY position", (thread,)
        )
        return [_to_post(row) for row in rows]

    async def channel(self, channel: str, *, before: int | None = None, limit: int = PAGE_POSTS) -> list[Root]:
        """The newest posts of *channel* that stand before position *before*, oldest first."""
        rows = await self._database.fetch_all(
            "SELECT root.*, count(reply.id) AS reply_count, max(reply.created_at) AS last_reply_at"
            " FROM web_posts AS root"
            " LEFT JOIN web_posts AS reply ON reply.thread = root.id AND reply.id <> root.id"
            " WHERE root.channel = ?1 AND root.thread = root.id AND (?2 IS NULL OR root.position < ?2)"
            " GROUP BY root.position ORDER BY root.position DESC LIMIT ?3",
            (channel, before, limit),
        )
        return [
            Root(_to_post(row), row["position"], row["reply_count"], row["last_reply_at"])
            for row in reversed(rows)
        ]

    async def glance(self, thread: str) -> tuple[int, str | None]:
        """How many replies a thread has, and when the last one came."""
        row = await self._database.fetch_one(
            "SELECT count(*), max(created_at) FROM web_posts WHERE thread = ?1 AND id <> ?1", (thread,)
        )
        assert row is not None, "an aggregate always gives one row"
        return row[0], row[1]

    async def forget_thread(self, thread: str) -> int:
        """Delete every post of a thread, from the file too; says how many there were."""
        async with self._database.write() as tx:
            gone = await tx.fetch_all("DELETE FROM web_posts WHERE thread = ? RETURNING id", (thread,))
        await self._database.scrub_if_owed()
        return len(gone)

    async def delete_before(self, moment: str) -> int:
        """Delete threads in which nobody wrote since *moment*; says how many posts there were.

        Conversations take their posts with them; this is for threads that never became one. The caller scrubs
        the file.
        """
        async with self._database.write() as tx:
            gone = await tx.fetch_all(
                "DELETE FROM web_posts WHERE thread IN"
                " (SELECT thread FROM web_posts GROUP BY thread HAVING max(created_at) < ?) RETURNING id",
                (moment,),
            )
        return len(gone)


def _to_post(row: Row) -> Post:
    return Post(
        id=row["id"],
        channel=row["channel"],
        thread=row["thread"],
        kind=PostKind(row["kind"]),
        author_id=row["author_id"],
        author_name=row["author_name"],
        body=json.loads(row["body"]),
        created_at=row["created_at"],
    )
