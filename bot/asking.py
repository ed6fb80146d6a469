"""One question put to the agent: its progress shown meanwhile, its time limited, broken off on request."""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

from bot.showing import Showing
from bot.surface import Progress
from core.errors import ServiceDown, ServiceTimeout
from core.model import Answer, AnswerEvent, AskEvent, Question, StageEvent, TextEvent

LET_GO_SECONDS = 5.0
"""How long an answer that is broken off at the end of the process may take to tidy up."""


class Answerer(Protocol):
    """What thinks: the agent, or a script in tests."""

    def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        """Tell each stage and the text so far; the last event carries the finished answer."""


class Asking:
    """The way of one turn's question to its answer."""

    def __init__(self, agent: Answerer, *, showing: Showing, timeout_seconds: float) -> None:
        self.is_stopped = False
        self._agent = agent
        self._showing = showing
        self._timeout_seconds = timeout_seconds
        self._task: asyncio.Task[Answer] | None = None

    def stop(self) -> bool:
        """Break off; False if the answer is already there."""
        if self._task is not None and self._task.done():
            return False
        self.is_stopped = True
        if self._task is not None:
            self._task.cancel()
        return True

    async def ask(self, question: Question) -> Answer | None:
        """The finished answer; None if it was stopped.

        Raises:
            ServiceError: it took too long, or something within gave it up.
        """
        self._task = task = asyncio.create_task(self._listen(question))
        if self.is_stopped:
            task.cancel()
        try:
            await asyncio.wait({task}, timeout=self._timeout_seconds)
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task}, timeout=LET_GO_SECONDS)
            raise
        finally:
            self._task = None
        if not task.done():
            # Not waited for: what does not listen to this either must not hold its conversation for ever.
            task.cancel()
            raise ServiceTimeout("answer", f"no answer in {self._timeout_seconds:.0f} s")
        if not task.cancelled():
            return task.result()
        if self.is_stopped:
            return None
        raise ServiceDown("answer", "it was broken off from within")

    async def _listen(self, question: Question) -> Answer:
        async for event in self._agent.ask(question):
            match event:
                case StageEvent(stage):
                    self._showing.show(Progress(stage=stage))
                case TextEvent(text):
                    self._showing.show(Progress(text=text))
                case AnswerEvent(answer):
                    return answer
        raise AssertionError("asking always ends with an answer")
