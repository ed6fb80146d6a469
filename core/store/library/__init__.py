"""The library: books, who may read them, their files, lessons and chunks. SQLite is the truth about them."""

from core.store.library.books import Books
from core.store.library.chunks import Chunks
from core.store.library.debts import Debts
from core.store.library.files import Files
from core.store.library.outline import Outline, SuggestKind
from core.store.library.records import (
    FileRecord,
    LessonEntry,
    LessonPage,
    LessonRow,
    NewFile,
    Remark,
    Replaced,
    Suggestion,
)
from core.store.library.scope import Scope

__all__ = [
    "FileRecord",
    "LessonEntry",
    "LessonPage",
    "LessonRow",
    "Library",
    "NewFile",
    "Remark",
    "Replaced",
    "SuggestKind",
    "Suggestion",
]


class Library(Scope, Books, Chunks, Outline, Files, Debts):
    """All that is kept of books. Each part of it stands in a file of its own, by what it is asked for."""
