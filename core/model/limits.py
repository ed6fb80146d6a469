"""The contract's numbers, and one way to say that one was broken."""

from core.errors import QuestionError

MAX_QUESTION_CHARS = 2000
MAX_SELECTED_CHARS = 5000
MIN_TOP_K, MAX_TOP_K, DEFAULT_TOP_K = 1, 20, 5
MIN_SEARCH_CHARS = 3
MAX_EXCERPT_CHARS = 500
MIN_CHUNK_CHARS = 10
MAX_SUMMARY_CHARS = 200
MIN_TIER, MAX_TIER = 1, 4
LIVE_WINDOW_MESSAGES = 50
MAX_MODEL_TURNS = 20
SUMMARY_AFTER_TURNS = 5
ROUNDING = 1e-6
"""What the mean of floats may lie beside them."""


def sound(text: str) -> str:
    """*text* without halves of characters: JSON can spell them, but neither a file nor an index can hold them."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_length(field: str, text: str, *, least: int = 0, most: int) -> None:
    """Refuse a *text* outside its limits with a message that names the limit and the length found."""
    found = len(text)
    if found < least:
        unit = "character" if least == 1 else "characters"
        raise QuestionError(
            f"{field} needs at least {least} {unit}; this one has {found}.",
            details={"field": field, "min": least, "found": found},
        )
    if found > most:
        raise QuestionError(
            f"{field} may have at most {most} characters; this one has {found}.",
            details={"field": field, "max": most, "found": found},
        )


def check_range(field: str, value: float, *, least: float, most: float) -> None:
    """Refuse a *value* outside *least* to *most*, naming both and what was given."""
    if not least <= value <= most:
        raise QuestionError(
            f"{field} must be between {least} and {most}; this one is {value}.",
            details={"field": field, "min": least, "max": most, "found": value},
        )


def check_share(name: str, value: float) -> None:
    """Stop a number of our own making that is no share of one; a member can do nothing about it.

    Raises:
        ValueError: it lies outside 0 to 1.
    """
    if not -ROUNDING <= value <= 1.0 + ROUNDING:
        raise ValueError(f"{name} must lie between 0 and 1; this one is {value}")
