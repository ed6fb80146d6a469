"""The anchors a published page gives its headings, so that a footnote leads to the right section."""

import re

_EXPLICIT = re.compile(r"\s*\\?\{#([\w:.-]{1,200})(?:\s[^{}]{0,100})?\\?\}\s*$")
_DROPPED = re.compile(r"[^\w\- ]")


class Anchors:
    """Gives each heading of one page its anchor, numbered where two headings read the same."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, title: str) -> str:
        """The anchor GitHub, Docusaurus and mdBook would all give to *title*."""
        base = _DROPPED.sub("", title.strip().lower()).replace(" ", "-")
        anchor, number = base, self._seen.get(base, 0)
        while anchor in self._seen:
            number += 1
            anchor = f"{base}-{number}"
        self._seen[base] = number
        self._seen[anchor] = self._seen.get(anchor, 0)
        return anchor


def explicit_anchor(heading: str) -> tuple[str, str | None]:
    """A heading without its {#id}, and the id."""
    found = _EXPLICIT.search(heading) if "{#" in heading else None
    return (heading[: found.start()], found[1]) if found else (heading, None)
