"""What the operator reads: one line an event, for people or as JSON, and never a secret."""

import json
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TextIO

HIDDEN = "•••"
_QUIET = {
    "discord": "WARNING",
    "slack_bolt": "WARNING",
    "slack_sdk": "WARNING",
    "uvicorn": "WARNING",
    "openai": "INFO",
    "httpcore": "INFO",
}
"""Libraries that tell more than an operator wants, some of it members' words; warnings still come through."""

_ORDINARY = frozenset(vars(logging.makeLogRecord({})))


def set_up_logs(level: str, *, is_json: bool, secrets: Sequence[str], stream: TextIO | None = None) -> None:
    """Send every log line to *stream* (standard error), with *secrets* blotted out wherever they appear."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_Redacting(_JsonLines() if is_json else _Lines(), secrets))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    names = logging.getLevelNamesMapping()
    for name, quiet in _QUIET.items():
        # A level of its own would let a library say more than the operator wants of everybody.
        logging.getLogger(name).setLevel(max(names[quiet], names[level.upper()]))


def redacted(text: str, secrets: Sequence[str]) -> str:
    """*text* with each secret blotted out, the longest first so that no rest of one remains."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


class _Redacting(logging.Formatter):
    """Works on the finished line, so that a secret inside an exception's text is caught too."""

    def __init__(self, inner: logging.Formatter, secrets: Sequence[str]) -> None:
        super().__init__()
        self._inner = inner
        self._secrets = tuple(secrets)

    def format(self, record: logging.LogRecord) -> str:
        return redacted(self._inner.format(record), self._secrets)


class _Lines(logging.Formatter):
    """For people: time, level, message, then the fields that were given."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S")
        given = "".join(f"  {name}={value}" for name, value in _fields(record).items())
        line = f"{moment} {record.levelname.lower():<7} {record.getMessage()}{given}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class _JsonLines(logging.Formatter):
    """For machines: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str, ensure_ascii=False)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """What was passed as `extra=`: ids, timings, the reference a member sees."""
    return {name: value for name, value in vars(record).items() if name not in _ORDINARY and name != "message"}
