"""How a variable's text becomes a value, or a sentence on what it must be."""

from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")

YES, NO = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def setting(
    variable: str, reader: Callable[[str], T], default: T, explained: str, *, is_secret: bool = False
) -> Any:  # dataclass fields carry the default's type to the class annotation
    meta = {"variable": variable, "read": reader, "explained": explained, "is_secret": is_secret}
    return field(default=default, repr=not is_secret, metadata=meta)


def text(raw: str) -> str:
    return raw


def flag(raw: str) -> bool:
    if raw.lower() not in YES | NO:
        raise ValueError("must be 1 or 0")
    return raw.lower() in YES


def whole(least: int, most: int) -> Callable[[str], int]:
    def read(raw: str) -> int:
        value = _number(raw)
        if not value.is_integer() or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(value)

    return read


def share(raw: str) -> float:
    value = _number(raw)
    if not 0.0 <= value <= 1.0:
        raise ValueError("must be a number from 0 to 1")
    return value


def price(raw: str) -> float:
    value = _number(raw)
    if not 0.0 <= value < float("inf"):
        raise ValueError("must be a price in US dollars, such as 0.15")
    return value


def amount(raw: str) -> float:
    value = _number(raw)
    if not 0.0 <= value < 1e9:
        raise ValueError("must be a number, 0 or more")
    return value


def temperature(raw: str) -> str:
    if raw.lower() == "off":
        return "off"
    if not 0.0 <= _number(raw) <= 2.0:
        raise ValueError("must be a number from 0 to 2, or off")
    return raw


def words(raw: str) -> tuple[str, ...]:
    return tuple(word for word in raw.replace(",", " ").split() if word)


def url(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https", "ws", "wss"} or not parts.hostname:
        raise ValueError("must be a full address such as https://example.org")
    return raw


def choice(*allowed: str) -> Callable[[str], str]:
    def read(raw: str) -> str:
        if raw.lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return raw.lower()

    return read


def _number(raw: str) -> float:
    """Not a number where it is none, which no limit lets through."""
    try:
        return float(raw)
    except ValueError:
        return float("nan")
