"""What an answer cost: tokens as the server counts them, and money where the price is known."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from core.settings import Settings

PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several calls. *cached* ones are part of *read*."""

    read: int = 0
    cached: int = 0
    written: int = 0

    @property
    def total(self) -> int:
        return self.read + self.written

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.read + other.read, self.cached + other.cached, self.written + other.written)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    read: float
    cached: float
    written: float

    def of(self, usage: Usage) -> float:
        fresh = usage.read - usage.cached
        dollars = fresh * self.read + usage.cached * self.cached + usage.written * self.written
        return round(dollars / PER_MILLION, 6)


PRICES = (
    ("gpt-6-luna*", Price(0.10, 0.01, 0.50)),
    ("gpt-5.6-terra*", Price(2.00, 0.20, 12.00)),
    ("gpt-4.1-mini*", Price(0.40, 0.10, 1.60)),
    ("gpt-4o-mini*", Price(0.15, 0.075, 0.60)),
)
"""List prices of November 2026. A model that is not here has no price, rather than a wrong one."""


def price_of(settings: Settings) -> Price | None:
    """What the operator says, else the list price at OpenAI itself, else nothing."""
    read, written = settings.openai_price_input, settings.openai_price_output
    if read is not None and written is not None:
        return Price(read, read, written)
    if settings.openai_base_url is not None:
        return None
    return next((price for pattern, price in PRICES if fnmatchcase(settings.openai_model, pattern)), None)
