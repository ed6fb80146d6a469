"""Writes what stands above or below the line, so that no number changes: 2 to the n + 1 is not 2n + 1."""

MAX_CHARS = 60
"""What is longer is a remark in small type."""

_ENDINGS = frozenset(["st", "nd", "rd", "th", "er", "re", "ère", "ème", "me", "mme", "lle", "tm", "sm"])


def raised(text: str) -> str:
    """What stands above the line: "^2", "^(n+1)". The ends of 1st, M™, word* and word[3] stay as they are."""
    is_sign = not any(letter.isalnum() for letter in text)
    is_remark = len(text) > MAX_CHARS or (" " in text and text.replace(" ", "").isalpha())
    is_plain = is_sign or is_remark or text.casefold() in _ENDINGS or text.startswith("[")
    return text if is_plain else f"^{_grouped(text)}"


def lowered(text: str) -> str:
    """What stands after a word and below it: "_2", "_max", "_(i+1)"."""
    is_index = len(text) <= MAX_CHARS and any(letter.isalnum() for letter in text)
    return f"_{_grouped(text)}" if is_index else text


def _grouped(text: str) -> str:
    is_whole = text.isalnum() or (text.startswith("(") and text.endswith(")") and ")" not in text[:-1])
    return text if is_whole else f"({text})"
