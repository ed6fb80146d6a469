-- A file's size, number and times when it was hashed: while they are the same, so are its bytes. Empty: hash it.
ALTER TABLE files ADD COLUMN stamp TEXT NOT NULL DEFAULT '';
-- The same for all files of a book's source together, once the last of them was taken in.
ALTER TABLE books ADD COLUMN stamp TEXT NOT NULL DEFAULT '';
