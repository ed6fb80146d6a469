-- "FOOT" in ASCII: tells our databases from other SQLite files.
PRAGMA application_id = 1179602772;

-- Conversations --------------------------------------------------------------

CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    platform      TEXT NOT NULL,
    group_key     TEXT NOT NULL,
    channel       TEXT NOT NULL,
    thread        TEXT NOT NULL,
    book          TEXT,
    model         TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL,
    turn_count    INTEGER NOT NULL DEFAULT 0 CHECK (turn_count >= 0),
    topic_summary TEXT CHECK (length(topic_summary) <= 200),
    archived      INTEGER NOT NULL DEFAULT 0,
    metadata      TEXT NOT NULL DEFAULT '{}',
    UNIQUE (platform, group_key, channel, thread)
);
CREATE INDEX sessions_by_group ON sessions (group_key, updated_at);
CREATE INDEX sessions_by_time ON sessions (updated_at);

CREATE TABLE messages (
    session_id      TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    content         TEXT NOT NULL,
    selected_text   TEXT,
    created_at      TEXT NOT NULL,
    tool_calls      TEXT,
    tool_call_id    TEXT,
    confidence      REAL,
    cited_chunk_ids TEXT NOT NULL DEFAULT '[]',
    archived        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session_id, position)
);

CREATE TABLE retrievals (
    session_id         TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    tool               TEXT NOT NULL,
    query              TEXT NOT NULL,
    filters            TEXT NOT NULL DEFAULT '{}',
    results_count      INTEGER NOT NULL,
    average_similarity REAL NOT NULL,
    created_at         TEXT NOT NULL,
    PRIMARY KEY (session_id, position)
);

-- The library ----------------------------------------------------------------

CREATE TABLE books (
    id              TEXT PRIMARY KEY,
    title           TEXT NOT NULL,
    group_key       TEXT, -- NULL: every group may read it
    base_url        TEXT,
    source          TEXT,
    embedding_model TEXT,
    dimension       INTEGER,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL
);

-- Which book a channel reads; an empty channel stands for the whole group.
CREATE TABLE bindings (
    group_key TEXT NOT NULL,
    channel   TEXT NOT NULL DEFAULT '',
    book      TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    PRIMARY KEY (group_key, channel)
);

CREATE TABLE files (
    book         TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    source_file  TEXT NOT NULL,
    file_hash    TEXT NOT NULL,
    context_hash TEXT NOT NULL DEFAULT '', -- of all that decides its chunks beside its bytes
    ingested_at  TEXT NOT NULL,
    PRIMARY KEY (book, source_file)
);

CREATE TABLE lessons (
    parent_id   TEXT PRIMARY KEY,
    book        TEXT NOT NULL,
    source_file TEXT NOT NULL,
    title       TEXT NOT NULL,
    module      TEXT NOT NULL,
    chapter     INTEGER NOT NULL,
    lesson      INTEGER NOT NULL,
    tier        INTEGER NOT NULL,
    level       TEXT NOT NULL,
    layer       TEXT NOT NULL,
    slug        TEXT NOT NULL,
    position    INTEGER NOT NULL,
    warnings    TEXT NOT NULL DEFAULT '[]',
    FOREIGN KEY (book, source_file) REFERENCES files (book, source_file) ON DELETE CASCADE
);
CREATE INDEX lessons_by_file ON lessons (book, source_file);

CREATE TABLE chunks (
    id               TEXT PRIMARY KEY,
    book             TEXT NOT NULL,
    parent_id        TEXT NOT NULL REFERENCES lessons (parent_id) ON DELETE CASCADE,
    source_file      TEXT NOT NULL,
    idx              INTEGER NOT NULL,
    total            INTEGER NOT NULL,
    previous_id      TEXT,
    next_id          TEXT,
    text             TEXT NOT NULL,
    page_title       TEXT NOT NULL,
    section          TEXT NOT NULL,
    breadcrumb       TEXT NOT NULL,
    url              TEXT NOT NULL,
    module           TEXT NOT NULL,
    chapter          INTEGER NOT NULL,
    lesson           INTEGER NOT NULL,
    tier             INTEGER NOT NULL,
    level            TEXT NOT NULL,
    layer            TEXT NOT NULL,
    content_hash     TEXT NOT NULL,
    source_file_hash TEXT NOT NULL,
    version          INTEGER NOT NULL,
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL
);
CREATE INDEX chunks_by_file ON chunks (book, source_file);
CREATE INDEX chunks_by_lesson ON chunks (parent_id, idx);
CREATE INDEX chunks_by_content ON chunks (content_hash);

-- What the index still owes: entries to remove, and embeddings to add. A stale id has no chunk any more,
-- so it refers to nothing; a pending one goes with its chunk.
CREATE TABLE stale_points (
    chunk_id TEXT PRIMARY KEY,
    book     TEXT NOT NULL
);
CREATE INDEX stale_points_by_book ON stale_points (book);

CREATE TABLE pending_embeddings (
    chunk_id TEXT PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE
);

-- What a model made of a text, as 32-bit floats, so that no text is embedded twice.
CREATE TABLE embedding_cache (
    model        TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    vector       BLOB NOT NULL,
    PRIMARY KEY (model, content_hash)
);

-- Ingestion jobs -------------------------------------------------------------

CREATE TABLE jobs (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    book             TEXT NOT NULL,
    mode             TEXT NOT NULL,
    source           TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    options          TEXT NOT NULL DEFAULT '{}',
    group_key        TEXT, -- who will own the book; NULL: the operator, for every group
    requested_by     TEXT,
    files_total      INTEGER NOT NULL DEFAULT 0,
    files_processed  INTEGER NOT NULL DEFAULT 0,
    files_skipped    INTEGER NOT NULL DEFAULT 0,
    files_failed     INTEGER NOT NULL DEFAULT 0,
    chunks_created   INTEGER NOT NULL DEFAULT 0,
    chunks_deleted   INTEGER NOT NULL DEFAULT 0,
    chunks_to_embed  INTEGER NOT NULL DEFAULT 0,
    chunks_embedded  INTEGER NOT NULL DEFAULT 0,
    chunks_per_second REAL NOT NULL DEFAULT 0,
    seconds_left     REAL,
    current_file     TEXT,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    created_at       TEXT NOT NULL,
    started_at       TEXT,
    completed_at     TEXT,
    duration_seconds REAL,
    error_message    TEXT
);
CREATE INDEX jobs_by_status ON jobs (status, id);
-- Two ingestions of one book would replace each other's chunks.
CREATE UNIQUE INDEX one_running_job_per_book ON jobs (book) WHERE status = 'running';

CREATE TABLE job_errors (
    job_id      INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    source_file TEXT NOT NULL,
    message     TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    PRIMARY KEY (job_id, source_file)
);
