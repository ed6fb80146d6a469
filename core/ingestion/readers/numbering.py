"""What the names of files and folders say: numbers, titles, slugs and places."""

import re
from functools import lru_cache

from core.ingestion.lesson import LessonPlace

# Docusaurus strips "01-" and "1. " from names, but neither dates nor versions.
_PREFIX = re.compile(r"^(\d{1,6})\s*[-_.]+\s*([^-_.\s].*)$")
_DATE_OR_VERSION = re.compile(r"^(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?|^\d+[-_.]\d+")
_NAMED = re.compile(
    r"(?:^|[-_. ])(module|part|section|unit|chapter|ch|week|lesson|lecture)[-_. ]?(\d{1,6})(?=$|[-_.: ])", re.I
)
_MODULE_WORDS = frozenset({"module", "part", "section"})
_CHAPTER_WORDS = frozenset({"chapter", "ch", "week", "unit"})
_LESSON_WORDS = frozenset({"lesson", "lecture"})
_DIGITS = re.compile(r"(\d+)")
_NOT_SLUG = re.compile(r"[^\w.-]+")

INDEX_STEMS = frozenset({"readme", "index"})
"""Pages that stand for their folder."""


def number_prefix(name: str) -> tuple[int | None, str]:
    """The number a name begins with, and the rest of it: "01-intro" gives 1 and "intro"."""
    found = None if _DATE_OR_VERSION.match(name) else _PREFIX.match(name)
    return (int(found[1]), found[2]) if found else (None, name)


def first_number(name: str) -> int | None:
    """The number that orders a name among its neighbours: "01-intro" and "chapter-1-intro" both give 1."""
    if not _DIGITS.search(name):
        return None
    prefix = number_prefix(name)[0]
    return prefix if prefix is not None else next((number for _, number in _numbers(name)), None)


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts "chapter-2" before "chapter-10"."""
    if not _DIGITS.search(name):
        return ((1, 0, name.casefold()),) if name else ()
    return tuple(
        (0, int(part[:18]), "") if part.isdigit() else (1, 0, part.casefold())
        for part in _DIGITS.split(name)
        if part
    )


def readable(name: str) -> str:
    """A title made of a name: "01-first_steps" gives "First steps", "part-2-motion" gives "Part 2: Motion"."""
    stem = number_prefix(name)[1]
    named = _NAMED.match(stem)
    if named:
        rest = _spaced(stem[named.end() :])
        return f"{named[1].capitalize()} {named[2]}: {rest}" if rest else f"{named[1].capitalize()} {named[2]}"
    return _spaced(stem) or name


@lru_cache(maxsize=1_000)
def module_slug(name: str) -> str:
    """How a module is called in filters: "module-1-ros2" gives "ros2", "Part 2" gives "part-2"."""
    stem = number_prefix(name)[1]
    found = _NAMED.match(stem)
    rest = stem[found.end() :].strip("-_.: ") if found and found[1].lower() in _MODULE_WORDS else ""
    slug = _NOT_SLUG.sub("-", (rest or stem).strip().lower().replace("_", "-")).strip("-.")
    return slug or "main"


def is_index(path: str) -> bool:
    """Whether a page stands for its folder."""
    folder, _, file = path.rpartition("/")
    stem = _stem(file)
    return stem.lower() in INDEX_STEMS or (bool(folder) and stem == folder.rpartition("/")[2])


def place_of_path(path: str) -> LessonPlace:
    """Module, chapter and lesson as the path numbers them; None for what it does not say."""
    *folders, file = path.split("/")
    module = _module(folders)
    if not _DIGITS.search(path):
        return LessonPlace(module=module)
    stem = _stem(file)
    chapter = _chapter(folders, has_module=module is not None)
    numbers = _numbers(stem)
    chapter = _first(numbers, _CHAPTER_WORDS) if chapter is None else chapter
    lesson = _first(numbers, _LESSON_WORDS)
    if lesson is None and not is_index(path):
        lesson = number_prefix(stem)[0]
    return LessonPlace(module=module, chapter=chapter, lesson=lesson)


def _stem(file: str) -> str:
    # Plain text operations: discovery asks this for every file of a large book, several times.
    return file.rpartition(".")[0] or file


def _spaced(stem: str) -> str:
    words = " ".join(re.split(r"[-_\s]+", stem)).strip()
    return words[:1].upper() + words[1:]


def _module(folders: list[str]) -> str | None:
    """The outermost folder, unless that is a chapter already."""
    if not folders or _first(_numbers(folders[0]), _CHAPTER_WORDS) is not None:
        return None
    return module_slug(folders[0])


def _chapter(folders: list[str], *, has_module: bool) -> int | None:
    for folder in folders:
        number = _first(_numbers(folder), _CHAPTER_WORDS)
        if number is not None:
            return number
    inner = folders[1:] if has_module else folders
    return number_prefix(inner[0])[0] if inner else None


@lru_cache(maxsize=10_000)
def _numbers(name: str) -> tuple[tuple[str, int], ...]:
    """The same few folder names are asked for again with every file below them."""
    return tuple((found[1].lower(), int(found[2])) for found in _NAMED.finditer(name))


def _first(numbers: tuple[tuple[str, int], ...], words: frozenset[str]) -> int | None:
    return next((number for word, number in numbers if word in words), None)
