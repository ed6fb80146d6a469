"""Fills in mdBook's {{#include …}} marks; what is missing, outside the book or cyclic is left out and named."""

import re
from pathlib import Path

from core.ingestion.readers.inclusion import Inclusion, Trail

_MARK = re.compile(r"(\\)?\{\{\s*#(\w+)\s*([^{}]{0,1000}?)\s*\}\}")
_INCLUDING = frozenset({"include", "rustdoc_include", "playground", "playpen"})
_ANCHOR = re.compile(r"ANCHOR(?:_END)?:\s*[\w-]+")
_HIDDEN = re.compile(r"^\s*#(?:\s.*)?$")


class Includes:
    """Fills in the includes of one lesson."""

    def __init__(self, inclusion: Inclusion) -> None:
        self._inclusion = inclusion

    def resolve(self, text: str, file: Path) -> str:
        """The text of *file* with its includes filled in."""
        return self._resolved(text, (file.resolve(),))

    def _resolved(self, text: str, trail: Trail) -> str:
        if "{{" not in text:
            return text
        return _MARK.sub(lambda mark: self._filled(mark, trail), text)

    def _filled(self, mark: re.Match[str], trail: Trail) -> str:
        escape, kind, target = mark[1], mark[2], mark[3]
        if escape:
            return mark[0][1:]
        if kind not in _INCLUDING:
            # A quiz or another plug-in's mark: nothing a reader of the text would see.
            return ""
        name, part = _name_and_part(target) if target else ("", "")
        opened = self._inclusion.open(name, trail)
        if opened is None:
            return ""
        path, text = opened
        included = _selected(text, part)
        self._inclusion.chars += len(included)
        return self._resolved(included, (*trail, path)).rstrip("\n")


def names_in(text: str) -> list[str]:
    """The files that a chapter includes."""
    marks = (mark for mark in _MARK.finditer(text) if not mark[1] and mark[2] in _INCLUDING)
    return [name for mark in marks if mark[3] for name in (_name_and_part(mark[3])[0],) if name]


def _name_and_part(target: str) -> tuple[str, str]:
    name, _, part = target.split(maxsplit=1)[0].partition(":")
    return name, part


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
