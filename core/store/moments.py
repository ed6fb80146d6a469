"""Moments as the store writes them, so that they sort as text."""

import time
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def seconds_ago(seconds: float) -> str:
    """The moment so long ago: ISO 8601, UTC."""
    return to_moment(time.time() - seconds)


def to_moment(seconds: float) -> str:
    """The moment so many seconds after 1970 began, in the same shape."""
    moment = _EPOCH + timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_between(earlier: str, later: str) -> float:
    """How long it took from one moment to the other."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
