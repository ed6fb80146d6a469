"""What thinks, and what a platform shows, as tests need them; everything else is real."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from bot.incoming import Incoming
from bot.reply import Reply
from bot.surface import Delivery, Progress
from core.model import (
    Answer,
    AnswerEvent,
    AskEvent,
    Chunk,
    Citation,
    Confidence,
    ConfidenceLevel,
    Place,
    Question,
    SessionKey,
    Stage,
    StageEvent,
    TextEvent,
)
from core.model.book import content_hash

WAIT = 60.0
"""Seconds after which a test that waits has failed; the machine may be busy."""


def to_chunk(text: str = "A Kalman filter joins a prediction with a measurement.", *, number: int = 1) -> Chunk:
    return Chunk(
        id=f"00000000-0000-5000-8000-{number:012d}",
        text=text,
        place=Place("robots", "perception", 6, 1),
        parent_id="00000000-0000-5000-8000-aaaaaaaaaaaa",
        index=0,
        total=1,
        previous_id=None,
        next_id=None,
        page_title="The Kalman filter",
        section=("Prediction and update",),
        breadcrumb="Perception › Estimating › The Kalman filter",
        url="https://books.example/kalman#prediction",
        source_file="kalman.md",
        source_file_hash="0" * 64,
        content_hash=content_hash(text),
    )


def to_answer(text: str, *, session_id: str = "", citations: tuple[Citation, ...] | None = None) -> Answer:
    """An answer whose one footnote is the Kalman chunk; a text without a mark is a refusal."""
    chunk = to_chunk()
    if citations is None:
        citations = (Citation(1, chunk, chunk.text, 0.9),) if "[1]" in text else ()
    confidence = Confidence(0.9, ConfidenceLevel.HIGH) if citations else Confidence.none()
    return Answer(text=text, citations=citations, confidence=confidence, session_id=session_id, tokens_used=10)


Script = str | Exception | Answer


class ScriptedAgent:
    """Answers what the script says, in order, then echoes the question. Keeps what it was asked.

    With *gate*, it waits for one `release` per question; without, it answers at once.
    """

    def __init__(self, *script: Script, is_gated: bool = False) -> None:
        self.asked: list[Question] = []
        self.at_once = 0
        self.most_at_once = 0
        self._script = list(script)
        self._gate = asyncio.Semaphore(0) if is_gated else None
        self.started: asyncio.Queue[Question] = asyncio.Queue()

    def release(self, count: int = 1) -> None:
        assert self._gate is not None
        for _ in range(count):
            self._gate.release()

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        self.asked.append(question)
        self.started.put_nowait(question)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield StageEvent(Stage.RETRIEVING)
            if self._gate is not None:
                await self._gate.acquire()
            step: Script = self._script.pop(0) if self._script else f"You asked: {question.text} [1]"
            if isinstance(step, Exception):
                raise step
            answer = to_answer(step) if isinstance(step, str) else step
            yield TextEvent(answer.text[: len(answer.text) // 2])
            yield AnswerEvent(answer)
        finally:
            self.at_once -= 1


@dataclass
class Shown:
    """What a platform got for one event."""

    incoming: Incoming
    replies: list[Reply] = field(default_factory=list)
    progress: list[Progress] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)


class ScriptedPlatform:
    """A platform that keeps what it is shown, and fails as *failures* say, one per delivery."""

    def __init__(self, *failures: Exception | None) -> None:
        self.shown: dict[str, Shown] = {}
        self.order: list[str] = []
        self.delivered: asyncio.Queue[str] = asyncio.Queue()
        self.progressed: asyncio.Queue[tuple[str, Progress]] = asyncio.Queue()
        self.on_deliver: Callable[[Delivery], None] = lambda _: None
        self._failures = list(failures)

    def open(self, incoming: Incoming) -> "ScriptedSurface":
        self.shown.setdefault(incoming.event_id, Shown(incoming))
        return ScriptedSurface(self, incoming.event_id)

    def take_failure(self) -> Exception | None:
        return self._failures.pop(0) if self._failures else None

    def text(self, event_id: str) -> str:
        replies = self.shown[event_id].replies
        assert len(replies) == 1, f"{event_id} was delivered {len(replies)} times"
        return replies[0].text


class ScriptedSurface:
    """One event's place on a ScriptedPlatform."""

    def __init__(self, platform: ScriptedPlatform, event_id: str) -> None:
        self._platform = platform
        self._event_id = event_id

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        self._platform.shown[self._event_id].progress.append(progress)
        self._platform.progressed.put_nowait((self._event_id, progress))

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        shown = self._platform.shown[self._event_id]
        shown.deliveries.append(delivery)
        self._platform.on_deliver(delivery)
        failure = self._platform.take_failure()
        if failure is not None:
            raise failure
        await delivery.save(f"message-of-{self._event_id}")
        shown.replies.append(reply)
        self._platform.order.append(self._event_id)
        self._platform.delivered.put_nowait(self._event_id)


def to_key(*, group: str = "test:1", thread: str = "t1") -> SessionKey:
    return SessionKey("test", group, "c1", thread)


def to_incoming(
    event_id: str,
    text: str = "What is a Kalman filter?",
    *,
    key: SessionKey | None = None,
    member: str = "ann",
    may_join: bool = False,
    is_late: bool = False,
) -> Incoming:
    question = Question(text, key=key or to_key())
    return Incoming(event_id, member, member.title(), question, may_join=may_join, is_late=is_late)
