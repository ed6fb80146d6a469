-- The page's own channel: what a platform such as Discord or Slack would keep for us elsewhere.
-- A post whose thread is its own id stands in the channel; the others stand in its thread.
CREATE TABLE web_posts (
    position    INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    channel     TEXT NOT NULL,
    thread      TEXT NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('question', 'note', 'passage', 'reply')),
    author_id   TEXT NOT NULL,
    author_name TEXT NOT NULL,
    body        TEXT NOT NULL, -- JSON; which fields depends on the kind
    created_at  TEXT NOT NULL
);
CREATE INDEX web_posts_by_channel ON web_posts (channel, position) WHERE thread = id;
CREATE INDEX web_posts_by_thread ON web_posts (thread, position);

-- Whoever deletes a conversation (a member, the command, the retention) deletes what the page shows of it.
CREATE TRIGGER web_posts_go_with_their_session AFTER DELETE ON sessions WHEN old.platform = 'web' BEGIN
    DELETE FROM web_posts WHERE thread = old.thread AND channel = old.channel;
END;
