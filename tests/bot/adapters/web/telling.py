"""An agent that tells what a test gives it, step by step, with real citations from the library."""

import asyncio
from collections.abc import AsyncIterator

from core.model import (
    Answer,
    AnswerEvent,
    AskEvent,
    Chunk,
    Citation,
    Confidence,
    ConfidenceLevel,
    NearSection,
    Question,
    Stage,
    StageEvent,
    TextEvent,
)

SENTENCE = "A topic is a named channel."
"""Stands in the small book, word for word."""


class TellingAgent:
    """Answers every question with a sentence of the small book. With *is_stepped* each step waits for `go_on`."""

    def __init__(self, *, is_stepped: bool = False) -> None:
        self.asked: list[Question] = []
        self.chunks: dict[str, Chunk] = {}
        self.fails_with: Exception | None = None
        self._steps = asyncio.Semaphore(0) if is_stepped else None

    def go_on(self, steps: int = 1) -> None:
        """Let the next *steps* happen."""
        assert self._steps is not None
        for _ in range(steps):
            self._steps.release()

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        self.asked.append(question)
        for event in (StageEvent(Stage.RECEIVED), StageEvent(Stage.RETRIEVING)):
            yield event
            await self._wait()
        if self.fails_with is not None:
            error, self.fails_with = self.fails_with, None
            raise error
        answer = self._answer(question)
        for end in (len(answer.text) // 2, len(answer.text)):
            yield TextEvent(answer.text[:end])
            await self._wait()
        yield AnswerEvent(answer)

    async def _wait(self) -> None:
        if self._steps is not None:
            await self._steps.acquire()

    def _answer(self, question: Question) -> Answer:
        chunk = next(chunk for chunk in self.chunks.values() if SENTENCE in chunk.text)
        if "weather" in question.text:
            text = "I don't have information about that in the book content."
            return Answer(text, (), Confidence.none(), session_id="", nearest=(NearSection.of(chunk),))
        return Answer(
            f"{SENTENCE} [1]",
            (Citation(1, chunk, SENTENCE, 0.9),),
            Confidence(0.91, ConfidenceLevel.HIGH),
            session_id="",
        )
