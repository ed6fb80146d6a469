"""A model that is honest and not very clever: it searches for the question and copies what fits."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.fakes.llm_steps import Call, Step, busy, failing

REFUSAL = "I don't have information about that in the book content."
_WORD = re.compile(r"[a-z0-9_]{3,}")
_SENTENCE = re.compile(r"[A-Z][^.!?\n]{20,300}[.!?](?=\s|$)")
_COMMON = {
    "the",
    "and",
    "for",
    "that",
    "this",
    "with",
    "what",
    "which",
    "how",
    "does",
    "are",
    "was",
    "when",
    "why",
    "from",
    "into",
    "you",
    "can",
    "its",
}


def study(body: Mapping[str, Any]) -> Step:
    """Search first; then answer with the two sentences that share most words with the question."""
    question = next(str(each["content"]) for each in reversed(body["messages"]) if each["role"] == "user")
    may_call = bool(body.get("tools")) and body.get("tool_choice") != "none"
    last = body["messages"][-1]
    if may_call and last["role"] == "user":
        return Step(calls=(Call({"query": question.split("\n")[0][:300]}),))
    passages = _passages(last)
    ranked = sorted(
        ((len(_words(sentence) & _words(question)), -number, sentence) for number, sentence in passages),
        reverse=True,
    )
    if not ranked or ranked[0][0] < 2:
        return Step(text=REFUSAL)
    return Step(text=" ".join(f"{sentence} [{-number}]" for _, number, sentence in ranked[:2]), piece=24)


class Troubled:
    """The student behind a bad line: every so many answers something else goes wrong, in turn."""

    def __init__(self, *, every: int) -> None:
        self._every = every
        self._asked = 0

    def __call__(self, body: Mapping[str, Any]) -> Step:
        self._asked += 1
        if self._asked % self._every:
            return study(body)
        said = study(body)
        troubles = (
            busy(),
            replace(said, cut_after=1),
            failing(503),
            replace(said, garbage_after=1),
            replace(said, eof_after=1),
            replace(said, error_after=1),
        )
        return troubles[self._asked // self._every % len(troubles) - 1]


def _passages(message: Mapping[str, Any]) -> list[tuple[int, str]]:
    try:
        results = json.loads(message["content"]).get("results", [])
    except (ValueError, TypeError, AttributeError):
        return []
    return [
        (result["rank"], " ".join(sentence.split()))
        for result in results
        for sentence in _SENTENCE.findall(result["chunk_text"])
    ]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - _COMMON
