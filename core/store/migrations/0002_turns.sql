-- The turn ledger -------------------------------------------------------------
-- One row per event a platform sent us, written before anything else happens.

CREATE TABLE turns (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of arrival
    event_id    TEXT NOT NULL UNIQUE,
    nonce       TEXT NOT NULL UNIQUE,
    platform    TEXT NOT NULL,
    group_key   TEXT NOT NULL,
    channel     TEXT NOT NULL,
    thread      TEXT NOT NULL,
    member_id   TEXT NOT NULL,
    member_name TEXT NOT NULL,
    question    TEXT NOT NULL,
    surface     TEXT NOT NULL DEFAULT '{}',
    state       TEXT NOT NULL CHECK (
        state IN ('received', 'answering', 'answered', 'delivering', 'done', 'failed', 'joined')
    ),
    joined_to   INTEGER REFERENCES turns (id) ON DELETE SET NULL,
    may_join    INTEGER NOT NULL DEFAULT 0,
    is_late     INTEGER NOT NULL DEFAULT 0,
    attempts    INTEGER NOT NULL DEFAULT 0,
    reply       TEXT,
    outcome     TEXT, -- answer, refusal or notice
    reason      TEXT,
    reference   TEXT,
    request_id  TEXT,
    session_id  TEXT,
    asked_at    TEXT NOT NULL, -- when the member asked, ISO 8601
    received_at REAL NOT NULL, -- when we learned of it, seconds since 1970
    finished_at REAL
);
CREATE INDEX turns_open ON turns (platform, id)
    WHERE state IN ('received', 'answering', 'answered', 'delivering');
CREATE INDEX turns_by_place ON turns (platform, group_key, channel, thread, id);
CREATE INDEX turns_by_group ON turns (group_key, outcome, received_at);
CREATE INDEX turns_by_request ON turns (request_id) WHERE request_id IS NOT NULL;

-- What of a reply is on the platform already, so that it is edited and never posted twice.
CREATE TABLE turn_messages (
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    PRIMARY KEY (turn_id, position)
);
CREATE INDEX turn_messages_by_id ON turn_messages (message_id);

-- What limits and budgets are counted from. It holds no words, so forgetting a conversation leaves it alone.
CREATE TABLE uses (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    kind      TEXT NOT NULL CHECK (kind IN ('ask', 'search')),
    group_key TEXT NOT NULL,
    member_id TEXT NOT NULL,
    at        REAL NOT NULL,
    tokens    INTEGER NOT NULL DEFAULT 0,
    cost_usd  REAL NOT NULL DEFAULT 0,
    event_id  TEXT UNIQUE
);
CREATE INDEX uses_by_member ON uses (group_key, member_id, at);
CREATE INDEX uses_by_group ON uses (group_key, at);

CREATE TABLE feedback (
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    member_id  TEXT NOT NULL,
    verdict    TEXT NOT NULL CHECK (verdict IN ('up', 'down')),
    comment    TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (turn_id, member_id)
);

-- Places where members asked us to speak only when spoken to.
CREATE TABLE mutes (
    platform  TEXT NOT NULL,
    group_key TEXT NOT NULL,
    channel   TEXT NOT NULL,
    thread    TEXT NOT NULL,
    PRIMARY KEY (platform, group_key, channel, thread)
);

-- When we last listened to a platform: what was said after that is looked up at the next start.
CREATE TABLE presence (
    platform TEXT PRIMARY KEY,
    seen_at  REAL NOT NULL
);
