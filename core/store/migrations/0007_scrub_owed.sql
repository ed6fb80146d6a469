-- Whether the file may still hold words that were deleted: in unused parts of its pages, or in its log. The row goes
-- when the file was rewritten, so that neither a crash nor a reader that was in the way leaves them there for good.
CREATE TABLE scrub_owed (id INTEGER PRIMARY KEY CHECK (id = 1));

CREATE TRIGGER scrub_owed_after_emptying AFTER UPDATE OF question ON turns
WHEN new.question = '{}' AND old.question <> '{}' BEGIN
    INSERT INTO scrub_owed SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM scrub_owed);
END;
CREATE TRIGGER scrub_owed_for_turns AFTER DELETE ON turns BEGIN
    INSERT INTO scrub_owed SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM scrub_owed);
END;
CREATE TRIGGER scrub_owed_for_sessions AFTER DELETE ON sessions BEGIN
    INSERT INTO scrub_owed SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM scrub_owed);
END;
CREATE TRIGGER scrub_owed_for_web_posts AFTER DELETE ON web_posts BEGIN
    INSERT INTO scrub_owed SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM scrub_owed);
END;
