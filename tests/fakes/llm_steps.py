"""What the local model server says next, and how it goes wrong on the way."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. *arguments* given as text are sent as they are, broken or not."""

    arguments: Mapping[str, Any] | str
    name: str = "retrieve_documentation"

    @property
    def raw(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of the server. Everything beside *text* and *calls* is a way to fail."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    """The body of a status of 400 and more, or of an error event inside the stream."""
    finish: str | None = None
    """Another reason to end with than "stop" or "tool_calls"."""
    refusal: str = ""
    cut_after: int | None = None
    """Close the socket after so many events, as a crash would."""
    eof_after: int | None = None
    """End the body cleanly after so many events, without a reason to finish."""
    stall_after: int | None = None
    """Send nothing more after so many events, and keep the socket."""
    error_after: int | None = None
    garbage_after: int | None = None
    """Send an event that is not JSON after so many events."""
    piece: int = 6
    """How many characters an event carries."""
    has_usage: bool = True
    has_one_index: bool = False
    """Send every tool call whole and under the number 0, as some servers do."""

    @property
    def finish_reason(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")

    def deltas(self) -> Iterator[dict[str, Any]]:
        """What the events carry, in the odd sizes that real servers use."""
        yield {"role": "assistant", "content": "" if self.text or not self.calls else None}
        for index, call in enumerate(self.calls):
            if self.has_one_index:
                whole = {"name": call.name, "arguments": call.raw}
                yield {"tool_calls": [{"index": 0, "id": f"call_{index}", "type": "function", "function": whole}]}
                continue
            opening = {"name": call.name, "arguments": ""}
            yield {
                "tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": opening}]
            }
            for piece in _pieces(call.raw, self.piece):
                yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
        for piece in _pieces(self.text, self.piece):
            yield {"content": piece}
        if self.refusal:
            yield {"refusal": self.refusal}


def searching(query: str, **arguments: Any) -> Step:
    """The model asks for passages."""
    return Step(calls=(Call({"query": query, **arguments}),))


AT_ONCE = {"retry-after-ms": "1"}


def busy(retry_after: str | None = None) -> Step:
    """Too many requests; unless told to wait, the client tries again at once."""
    error = {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}
    return Step(status=429, headers={"retry-after": retry_after} if retry_after else AT_ONCE, error=error)


def out_of_quota() -> Step:
    """The account has nothing left; trying again does not help."""
    error = {
        "message": "You exceeded your current quota",
        "type": "insufficient_quota",
        "code": "insufficient_quota",
    }
    return Step(status=429, headers=AT_ONCE, error=error)


def failing(status: int) -> Step:
    return Step(status=status, headers=AT_ONCE, error={"message": "scripted failure"})


def refusing_parameter(name: str) -> Step:
    """A server that does not know a parameter we sent."""
    error = {"message": f"Unsupported parameter: '{name}'", "type": "invalid_request_error", "param": name}
    return Step(status=400, error=error)


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))
