"""What was asked under load, what came of it, and when."""

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

LINE = re.compile(r"question (\d+) please")


def words(number: int) -> str:
    return f"question {number} please"


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


@dataclass
class Tally:
    """Questions by number. A thread's questions are answered in the order they were asked in."""

    asked_at: dict[int, float] = field(default_factory=dict)
    asked_in: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    answered_in: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    answers: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    answered_after: dict[int, float] = field(default_factory=dict)
    first_sign_after: dict[int, float] = field(default_factory=dict)
    _waiting: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def ask(self, thread: str, number: int) -> None:
        self.asked_at[number] = time.monotonic()
        self.asked_in[thread].append(number)
        self._waiting[thread].append(number)

    def sign(self, thread: str) -> None:
        """Something appeared in *thread*; it is the first sign for whoever waits there longest."""
        for number in self._waiting[thread]:
            self.first_sign_after.setdefault(number, time.monotonic() - self.asked_at[number])

    def shown(self, thread: str, message: str, text: str) -> None:
        """The bot's message *message* in *thread* now says *text*."""
        self.sign(thread)
        for number in map(int, LINE.findall(text)) if "You asked" in text else ():
            if number in self.asked_at:
                self._answer(thread, message, number)

    def _answer(self, thread: str, message: str, number: int) -> None:
        if number not in self.answered_after:
            self.answered_after[number] = time.monotonic() - self.asked_at[number]
            self.answered_in[thread].append(number)
        self.answers[number].add(message)
        if number in self._waiting[thread]:
            self._waiting[thread].remove(number)

    def is_answered(self, number: int) -> bool:
        return number in self.answered_after

    def report(self, acks: Sequence[float]) -> dict[str, object]:
        signs, answers = list(self.first_sign_after.values()), list(self.answered_after.values())
        in_order = [
            self.answered_in[thread] == [each for each in asked if each in self.answered_after]
            for thread, asked in self.asked_in.items()
        ]
        return {
            "questions": len(self.asked_at),
            "threads": len(self.asked_in),
            "acknowledged, ms (p50, p99, max)": _three(acks, 1000),
            "first visible sign, s (p50, p99, max)": _three(signs, 1),
            "answered, s (p50, p99, max)": _three(answers, 1),
            "lost": len(self.asked_at) - len(self.answered_after),
            "answered twice": sum(len(messages) > 1 for messages in self.answers.values()),
            "threads out of order": in_order.count(False),
        }


def _three(values: Sequence[float], scale: float) -> str:
    shown = (percentile(values, 0.5), percentile(values, 0.99), max(values, default=0.0))
    return ", ".join(f"{value * scale:.0f}" if scale > 1 else f"{value:.2f}" for value in shown)
