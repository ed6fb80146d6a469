"""A book's table of contents, and the names a member may mean by what is typed so far."""

import json
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum

from core.store.connection import Row
from core.store.library.records import LessonEntry, LessonPage, Remark, Suggestion
from core.store.library.shelf import Shelf, as_array

MAX_SUGGESTIONS = 25
"""What Discord shows of an autocomplete at most."""


class SuggestKind(StrEnum):
    """What can be suggested while a member types."""

    MODULE = "module"
    CHAPTER = "chapter"
    LESSON = "lesson"
    SECTION = "section"


_SUGGESTIONS = {
    SuggestKind.MODULE: "SELECT module AS value, module AS label, min(position) AS place FROM lessons",
    SuggestKind.CHAPTER: (
        "SELECT chapter AS value, 'Chapter ' || chapter || ' · ' || module AS label, min(position) AS place "
        "FROM lessons"
    ),
    SuggestKind.LESSON: (
        "SELECT lesson AS value, 'Lesson ' || lesson || ' · ' || title AS label, min(position) AS place "
        "FROM lessons"
    ),
    SuggestKind.SECTION: (
        "SELECT value, value AS label, min(idx) AS place FROM (SELECT chunks.book, idx, "
        "json_extract(section, '$[#-1]') AS value FROM chunks WHERE section <> '[]')"
    ),
}

_ORDER = "position, chapter, lesson, source_file"
_ORDER_DOWN = "position DESC, chapter DESC, lesson DESC, source_file DESC"
_NEXT_TO = f"SELECT title, slug FROM lessons WHERE book = ? AND ({_ORDER})"  # noqa: S608 - no value is part of the text
_HERE = "(?, ?, ?, ?)"


class Outline(Shelf):
    """How a book is laid out."""

    async def outline(self, book_id: str) -> list[LessonEntry]:
        """A book's lessons in reading order, with the headings inside each."""
        lessons = await self._database.fetch_all(
            f"SELECT * FROM lessons WHERE book = ? ORDER BY {_ORDER}",  # noqa: S608 - no value is part of the text
            (book_id,),
        )
        rows = await self._database.fetch_all(
            "SELECT parent_id, section, url, breadcrumb FROM chunks WHERE book = ? ORDER BY parent_id, idx",
            (book_id,),
        )
        chunks: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            chunks[row["parent_id"]].append(row)
        return [_to_entry(row, chunks[row["parent_id"]]) for row in lessons]

    async def remarks(self, book_id: str) -> list[Remark]:
        """What was noticed in a book's files that did not keep them out, in reading order."""
        rows = await self._database.fetch_all(
            "SELECT source_file, message.value AS message "  # noqa: S608 - no value is part of the text
            f"FROM lessons, json_each(warnings) AS message WHERE book = ? ORDER BY {_ORDER}, message.key",
            (book_id,),
        )
        return [Remark(row["source_file"], row["message"]) for row in rows]

    async def page(self, book_id: str, slug: str) -> LessonPage | None:
        """The lesson at *slug* of a book with the ones before and after it; None if there is none."""
        row = await self._database.fetch_one(
            "SELECT * FROM lessons WHERE book = ? AND trim(slug, '/') = trim(?, '/')", (book_id, slug)
        )
        if row is None:
            return None
        here = (book_id, row["position"], row["chapter"], row["lesson"], row["source_file"])
        before = await self._database.fetch_one(f"{_NEXT_TO} < {_HERE} ORDER BY {_ORDER_DOWN} LIMIT 1", here)
        after = await self._database.fetch_one(f"{_NEXT_TO} > {_HERE} ORDER BY {_ORDER} LIMIT 1", here)
        return LessonPage(row["parent_id"], row["slug"], _neighbour(before), _neighbour(after))

    async def suggest(
        self, prefix: str, *, books: Sequence[str], kind: SuggestKind | str, limit: int = MAX_SUGGESTIONS
    ) -> list[Suggestion]:
        """What of *books* fits what was typed so far, those that begin with it first."""
        pattern = prefix.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        rows = await self._database.fetch_all(
            f"SELECT value, label FROM ({_SUGGESTIONS[SuggestKind(kind)]} "  # noqa: S608 - no value is part of the text
            "WHERE book IN (SELECT value FROM json_each(?1)) GROUP BY value, label) "
            "WHERE label LIKE '%' || ?2 || '%' ESCAPE '\\' OR value LIKE ?2 || '%' ESCAPE '\\' "
            "ORDER BY (value LIKE ?2 || '%' ESCAPE '\\' OR label LIKE ?2 || '%' ESCAPE '\\') DESC, place, label "
            "LIMIT ?3",
            (as_array(books), pattern, limit),
        )
        return [Suggestion(str(row["value"]), row["label"]) for row in rows]


def _neighbour(row: Row | None) -> tuple[str, str] | None:
    return (row["title"], row["slug"]) if row else None


def _to_entry(lesson: Row, chunks: Sequence[Row]) -> LessonEntry:
    headings = (heading for chunk in chunks for heading in json.loads(chunk["section"]))
    first = chunks[0] if chunks else None
    return LessonEntry(
        parent_id=lesson["parent_id"],
        title=lesson["title"],
        module=lesson["module"],
        chapter=lesson["chapter"],
        lesson=lesson["lesson"],
        slug=lesson["slug"],
        source_file=lesson["source_file"],
        url=first["url"].partition("#")[0] if first else "",
        breadcrumb=first["breadcrumb"] if first else "",
        chunk_count=len(chunks),
        sections=tuple(dict.fromkeys(headings)),
    )
