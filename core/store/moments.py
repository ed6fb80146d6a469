"""Moments as the store writes them, so that they sort as text."""

from datetime import UTC, datetime, timedelta


def seconds_ago(seconds: float) -> str:
    """The moment so long ago: ISO 8601, UTC."""
    moment = datetime.now(UTC) - timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_between(earlier: str, later: str) -> float:
    """How long it took from one moment to the other."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
