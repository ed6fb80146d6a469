-- The event a turn came with: asked again after a crash, it takes the place of what was remembered before.
ALTER TABLE messages ADD COLUMN event_id TEXT;
ALTER TABLE retrievals ADD COLUMN event_id TEXT;
CREATE UNIQUE INDEX messages_by_event ON messages (session_id, event_id, role) WHERE event_id IS NOT NULL;
