"""Tags and components that fill whole lines → what they say to a reader."""

import re

from core.ingestion.readers.inline import HTML_TAGS, attribute_text

MAX_TAG_LINES = 400
"""A component that does not close within this many lines is taken for ordinary text."""

MAX_TAG_LINE_CHARS = 5000

_OPEN_TAG = re.compile(r"^[ \t]*</?([A-Za-z][\w.-]{0,60})(?=[\s>/]|$)")
_HIDDEN = ("script", "style")


class TagReducer:
    """Finds where the tags among *lines* end. What follows a tag on its last line is put back there."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        # Lines already searched in vain: without this, a page of unclosed tags takes quadratic time.
        self._searched_to = 0

    def reduce(self, at: int) -> tuple[int, list[str]]:
        """How many lines the tag at line *at* fills, and what replaces them; 0 where it is part of a sentence."""
        found = _OPEN_TAG.match(self._lines[at])
        if not found:
            return 0, []
        name = found[1]
        if name.lower() in _HIDDEN:
            return self._hidden_length(at, name.lower()), []
        if not name[0].isupper() and name.lower() not in HTML_TAGS:
            return 0, []
        end = self._end(at)
        if end is None or (end[0] == at and end[1].strip()):
            return 0, []
        last, rest = end
        attributes = " ".join(self._lines[at : last + 1])
        if rest.strip():
            self._lines[last] = rest
            last -= 1
        said = attribute_text(name, attributes).strip()
        return last - at + 1, ["", said, ""] if said else []

    def _hidden_length(self, at: int, name: str) -> int:
        if at < self._searched_to:
            return 1
        closing = f"</{name}"
        for ahead in range(at, min(len(self._lines), at + MAX_TAG_LINES)):
            if closing in self._lines[ahead].lower():
                return ahead - at + 1
        self._searched_to = at + MAX_TAG_LINES
        return 1

    def _end(self, at: int) -> tuple[int, str] | None:
        """The line where the tag closes, and what follows it there; quotes and braces hide a >."""
        reach = at + (3 if at < self._searched_to else MAX_TAG_LINES)
        depth, quote = 0, ""
        for ahead in range(at, min(len(self._lines), reach)):
            line = self._lines[ahead]
            if len(line) > MAX_TAG_LINE_CHARS or (not line.strip() and not quote and depth <= 0):
                return None
            for column, character in enumerate(line):
                if quote:
                    quote = "" if character == quote else quote
                elif character in '"`' or (character == "'" and depth == 0):
                    quote = character
                elif character == "{":
                    depth += 1
                elif character == "}":
                    depth -= 1
                elif character == ">" and depth <= 0:
                    return ahead, line[column + 1 :]
        self._searched_to = max(self._searched_to, reach)
        return None
