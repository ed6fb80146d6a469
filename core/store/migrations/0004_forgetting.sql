-- A conversation that was forgotten while its last reply was on its way: its words go when the turn ends.
ALTER TABLE turns ADD COLUMN is_forgotten INTEGER NOT NULL DEFAULT 0;
