"""Fills in mdBook's {{#include …}} marks; what is missing, outside the book or cyclic is left out and named."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import UnreadableFile
from core.ingestion.readers.decoding import decode

MAX_DEPTH = 10
MAX_INCLUDED_CHARS = 2_000_000
MAX_INCLUDE_BYTES = 4_000_000

_MARK = re.compile(r"(\\)?\{\{\s*#(\w+)\s*([^{}]{0,1000}?)\s*\}\}")
_INCLUDING = frozenset({"include", "rustdoc_include", "playground", "playpen"})
_ANCHOR = re.compile(r"ANCHOR(?:_END)?:\s*[\w-]+")
_HIDDEN = re.compile(r"^\s*#(?:\s.*)?$")


@dataclass
class Includes:
    """Fills in the includes of one lesson."""

    root: Path
    _missing: list[str] = field(default_factory=list)
    _refused: list[str] = field(default_factory=list)
    _chars: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence for each thing that could not be filled in, and one for all that is missing."""
        names = list(dict.fromkeys(self._missing))
        if not names:
            return tuple(dict.fromkeys(self._refused))
        shown = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        missing = f"It includes {len(names)} files that are missing: {shown}."
        return (
            missing if len(names) > 1 else f"It includes {shown}, which is missing.",
            *dict.fromkeys(self._refused),
        )

    def resolve(self, text: str, file: Path) -> str:
        """The text of *file* with its includes filled in."""
        return self._resolved(text, file, (file.resolve(),))

    def _resolved(self, text: str, file: Path, trail: tuple[Path, ...]) -> str:
        if "{{" not in text:
            return text
        return _MARK.sub(lambda mark: self._filled(mark, file, trail), text)

    def _filled(self, mark: re.Match[str], file: Path, trail: tuple[Path, ...]) -> str:
        escape, kind, target = mark[1], mark[2], mark[3]
        if escape:
            return mark[0][1:]
        if kind not in _INCLUDING:
            # A quiz or another plug-in's mark: nothing a reader of the text would see.
            return ""
        name, _, part = target.split()[0].partition(":") if target else ("", "", "")
        path = (file.parent / name).resolve()
        trouble = self._trouble(path, name, trail)
        if trouble:
            self._refused.append(trouble)
            return ""
        if not path.is_file():
            self._missing.append(name)
            return ""
        included = _selected(self._text(path, name), part)
        self._chars += len(included)
        return self._resolved(included, path, (*trail, path)).rstrip("\n")

    def _trouble(self, path: Path, name: str, trail: tuple[Path, ...]) -> str | None:
        if not path.is_relative_to(self.root.resolve()):
            return f"It includes {name!r}, which is outside the book and was left out."
        if path in trail:
            return f"It includes {name!r}, which includes itself, and was left out."
        is_large = path.is_file() and path.stat().st_size > MAX_INCLUDE_BYTES
        if len(trail) > MAX_DEPTH or self._chars > MAX_INCLUDED_CHARS or is_large:
            return f"It includes {name!r}, which is too much, and was left out."
        return None

    def _text(self, path: Path, name: str) -> str:
        try:
            return decode(path.read_bytes(), name=name).text
        except (OSError, UnreadableFile):
            self._refused.append(f"It includes {name!r}, which cannot be read.")
            return ""


def without_hidden_lines(listing: str) -> str:
    """A Rust listing without the lines that mdBook hides from its readers."""
    return "\n".join(line for line in listing.split("\n") if not _HIDDEN.match(line))


def _selected(text: str, part: str) -> str:
    """The lines 3 to 7 for "3:7", or those between the anchors called *part*."""
    lines = text.split("\n")
    if re.fullmatch(r"\d*(?::\d*)?", part):
        start, has_end, end = part.partition(":")
        first = max(0, int(start) - 1) if start else 0
        last = int(end) if end else (len(lines) if has_end or not start else first + 1)
        lines = lines[first:last]
    else:
        lines = _between(lines, part)
    return "\n".join(line for line in lines if not _ANCHOR.search(line))


def _between(lines: list[str], name: str) -> list[str]:
    start, end = re.compile(rf"ANCHOR:\s*{re.escape(name)}\b"), re.compile(rf"ANCHOR_END:\s*{re.escape(name)}\b")
    kept: list[str] = []
    is_inside = False
    for line in lines:
        if end.search(line):
            is_inside = False
        elif start.search(line):
            is_inside = True
        elif is_inside:
            kept.append(line)
    return kept
