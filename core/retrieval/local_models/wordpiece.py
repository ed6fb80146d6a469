"""Cuts English text into the pieces that BERT models were trained on (WordPiece, uncased)."""

import unicodedata
from functools import lru_cache
from pathlib import Path

# These limits and ranges are those of BERT's own tokenizer.
MAX_WORD_CHARS = 100
REPLACEMENT_CHARACTER = 0xFFFD
CJK_RANGES = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
CACHED_WORDS = 50_000


# The two tables say what each character becomes; `str.translate` reads them, and they fill as characters are met.


class _Cleaning(dict[int, str]):
    """Drops what cannot be seen, makes every blank a space, sets each CJK character apart."""

    def __missing__(self, code: int) -> str:
        self[code] = cleaned = _clean(chr(code))
        return cleaned


class _Folding(dict[int, str]):
    """Drops accents (already separate characters), lowers, sets each punctuation mark apart."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


class WordPiece:
    """Text to token ids, the same ids the models' own tokenizer gives.

    One difference is meant: "[SEP]" or "[CLS]" typed by a person is text like any other, so
    that nobody can end a passage early by writing one. May be used by one thread at a time.
    """

    def __init__(self, vocabulary: Path) -> None:
        words = vocabulary.read_text(encoding="utf-8").split("\n")
        self._ids = {word: i for i, word in enumerate(words) if word}
        self.start = self._ids["[CLS]"]
        self.end = self._ids["[SEP]"]
        self._unknown = self._ids["[UNK]"]
        self._cleaning = _Cleaning()
        self._folding = _Folding()
        self._pieces = lru_cache(maxsize=CACHED_WORDS)(self._cut)

    def ids(self, text: str, *, limit: int) -> list[int]:
        """The first *limit* token ids of *text*, without start and end."""
        found: list[int] = []
        for word in self._words(text):
            found += self._pieces(word)
            if len(found) >= limit:
                break
        return found[:limit]

    def _words(self, text: str) -> list[str]:
        cleaned = text.translate(self._cleaning)
        # Decomposing is done on the whole text, because it also puts neighbouring marks in order.
        decomposed = cleaned if cleaned.isascii() else unicodedata.normalize("NFD", cleaned)
        return decomposed.translate(self._folding).split()

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest known piece, then the longest of the rest, and so on; one unknown spoils the word."""
        if len(word) > MAX_WORD_CHARS:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for stop in range(len(word), start, -1):
                piece = self._ids.get(prefix + word[start:stop])
                if piece is not None:
                    break
            else:
                return (self._unknown,)
            pieces.append(piece)
            start = stop
        return tuple(pieces)


def _clean(char: str) -> str:
    category = unicodedata.category(char)
    if char in "\t\n\r" or category.startswith("Z"):
        return " "
    if ord(char) == REPLACEMENT_CHARACTER or category in ("Cc", "Cf", "Cs", "Co"):
        return ""
    return f" {char} " if any(first <= ord(char) <= last for first, last in CJK_RANGES) else char


def _fold(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Mn":
        return ""
    # BERT counts every visible ASCII sign that is no letter or digit as punctuation, "$" and "+" too.
    is_ascii_sign = char.isascii() and char.isprintable() and not char.isalnum() and char != " "
    return f" {char} " if is_ascii_sign or category.startswith("P") else char.lower()
