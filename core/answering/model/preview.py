"""What a member may already read of an answer that is still being written."""

import re

from core.answering.marks import marks, renumbered
from core.answering.model.attempt import Attempt
from core.answering.model.prompts import INSTRUCTIONS
from core.answering.verifying import Verifier
from core.answering.verifying.claims import with_plain_marks
from core.answering.verifying.taming import tamed

_SENTENCE_END = re.compile(r"[.!?:…](?:[\"'”’)*_]*)(?:\s*\[\d{1,3}\])*\s|\n")
MOST_SHOWN_CHARS = 6000
"""What is longer than any platform shows while it is written waits for the end."""


class Preview:
    """Grows with the stream and shows only whole sentences that words and facts bear out."""

    def __init__(self, verifier: Verifier, attempt: Attempt) -> None:
        self._verifier = verifier
        self._attempt = attempt
        self._written = ""
        self._checked_until = 0
        self._shown = ""

    def grow(self, piece: str) -> str | None:
        """Take in what came; gives the new text to show, or None where it has not changed."""
        self._written += piece
        end = self._last_end()
        if end <= self._checked_until or end > MOST_SHOWN_CHARS:
            return None
        self._checked_until = end
        before, self._shown = self._shown, self._checked(self._written[:end])
        return self._shown if self._shown and self._shown != before else None

    def _last_end(self) -> int:
        """Where the last whole sentence ends. One mark more may follow, so the newest blank must be passed."""
        ends = [match.end() for match in _SENTENCE_END.finditer(self._written, max(0, self._checked_until - 1))]
        is_in_code = self._written.count("```") % 2 == 1
        return ends[-1] if ends and not is_in_code else 0

    def _checked(self, text: str) -> str:
        chunks = self._attempt.shelf.chunks
        ready = with_plain_marks(tamed(text, known_urls={found.chunk.url for found in chunks}))
        secret = f"{INSTRUCTIONS} {self._attempt.boundary}"
        kept = self._verifier.preview(ready, chunks, asked=self._attempt.asked, secret=secret)
        numbers = {mark.number: 0 for mark in marks(kept)}
        order = {number: place for place, number in enumerate(numbers, 1)}
        return renumbered(kept, order.get)
