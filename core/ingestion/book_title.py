"""What a book calls itself, as far as that can be seen without reading it."""

import re
import tomllib
from collections.abc import Sequence
from html import unescape
from pathlib import Path, PurePosixPath

from core.ingestion.lesson import SourceFile
from core.ingestion.readers.decoding import tidy
from core.ingestion.readers.numbering import is_index

HEAD_BYTES = 8_192
SETTINGS_BYTES = 64_000
MAX_TITLE_CHARS = 120
MDBOOK_SETTINGS = "book.toml"
MARKDOWN = (".md", ".mdx", ".markdown")
_FRONT_MATTER = re.compile(r"\A\s*---\n(.*?)\n---", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^# +(.+?)[ \t#]*$", re.MULTILINE)
_PAGE_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(r"[*_`]|\{#[^}]*\}|<[^>]*>")


def title_of(files: Sequence[SourceFile]) -> str | None:
    """The title in an mdBook's settings, else that of the page that stands for the whole book; else None."""
    if not files:
        return None
    return _from_settings(_root(files[0])) or _from_first_page(files)


def _root(source: SourceFile) -> Path:
    return source.absolute.parents[len(PurePosixPath(source.path).parts) - 1]


def _from_settings(root: Path) -> str | None:
    # An mdBook's pages are in a folder of their own, below its settings.
    for folder in (root, root.parent):
        try:
            settings = tomllib.loads(_start(folder / MDBOOK_SETTINGS, SETTINGS_BYTES))
        except (OSError, ValueError):
            continue
        book = settings.get("book")
        title = book.get("title") if isinstance(book, dict) else None
        return _cleaned(title) if isinstance(title, str) else None
    return None


def _from_first_page(files: Sequence[SourceFile]) -> str | None:
    page = next((each for each in files if "/" not in each.path and is_index(each.path)), None)
    if page is None:
        return None
    try:
        head = _start(page.absolute, HEAD_BYTES)
    except OSError:
        return None
    if not page.path.lower().endswith(MARKDOWN):
        found = _PAGE_TITLE.search(head)
        return _cleaned(unescape(found[1])) if found else None
    front = _FRONT_MATTER.match(head)
    found = (_TITLE.search(front[1]) if front else None) or _HEADING.search(head)
    return _cleaned(found[1]) if found else None


def _start(path: Path, size: int) -> str:
    with path.open("rb") as file:
        return file.read(size).decode("utf-8", errors="replace").replace("\r\n", "\n")


def _cleaned(title: str) -> str | None:
    bare = " ".join(tidy(_MARKUP.sub("", title)).split()).strip("\"'")
    return bare[:MAX_TITLE_CHARS].rstrip() or None
