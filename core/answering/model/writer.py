"""Writes answers with a model that searches by tool, and shows nothing that was not checked."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from logging import getLogger

from core.answering.marks import marks
from core.answering.model.attempt import Attempt
from core.answering.model.chat import ChatModel, Completion, ToolChoice
from core.answering.model.finding import Finder
from core.answering.model.preview import Preview
from core.answering.model.prompts import INSTRUCTIONS, repair_message
from core.answering.model.searching import Searching
from core.answering.model.tool import TOOL
from core.answering.model.usage import Price
from core.answering.model.wholeness import is_refusal, whole_text
from core.answering.verifying import Verified, Verifier
from core.answering.verifying.claims import with_plain_marks
from core.answering.verifying.taming import tamed
from core.errors import ServiceError
from core.model import Draft, Findings, Stage, StageEvent, Task, TextEvent

REPAIR_SECONDS = 15.0
"""A repair may not hold up an answer that is already there."""
MODELS_WORD = 0.4
"""How far a model that could have refused, and whose every sentence is borne out, lifts the search's own doubt."""
_log = getLogger(__name__)


class ModelWriter:
    """Answers in the model's words, from the book's passages.

    Every sentence is held against the passage it cites; one that fails is repaired once by the model and
    otherwise left out. At most four calls of the model per answer.
    """

    def __init__(self, *, chat: ChatModel, finder: Finder, verifier: Verifier, price: Price | None = None) -> None:
        self._chat = chat
        self._searching = Searching(finder=finder)
        self._verifier = verifier
        self._price = price

    @property
    def model(self) -> str:
        return self._chat.model

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Findings | Draft]:
        """Tell the stages, what was found and the checked text so far, then give the draft.

        Raises:
            ServiceError: the model or the search did not do its part.
        """
        attempt = Attempt(task)
        yield StageEvent(Stage.RETRIEVING)
        await self._look_up(attempt)
        if not attempt.shelf.chunks:
            yield self._refusal(attempt)
            return
        yield attempt.shelf.best
        yield StageEvent(Stage.GENERATING)
        text = ""
        async with aclosing(self._compose(attempt)) as events:
            async for event in events:
                if isinstance(event, TextEvent):
                    yield event
                else:
                    text = event
        yield await self._to_draft(text, attempt)

    async def _look_up(self, attempt: Attempt) -> None:
        """Have passages on the shelf: found by the model, or for it where it does not search."""
        while self._chat.has_tools and not attempt.must_answer:
            completion = await self._call(attempt, "required")
            if not completion.calls:
                break
            await self._searching.carry_out(completion, attempt)
            if attempt.shelf.retrievals:
                return
        await self._searching.do_for_model(attempt)

    async def _compose(self, attempt: Attempt) -> AsyncGenerator[TextEvent | str]:
        """The checked text while it grows, then the whole of what the model wrote."""
        while True:
            choice: ToolChoice = "none" if attempt.must_answer else "auto"
            preview = Preview(self._verifier, attempt)
            completion = Completion()
            async with aclosing(self._chat.stream(attempt.messages, tools=[TOOL], choice=choice)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        completion = piece
                    elif shown := preview.grow(piece):
                        yield TextEvent(shown)
            attempt.count(completion)
            if completion.calls and choice == "auto":
                await self._searching.carry_out(completion, attempt)
                continue
            yield whole_text(completion)
            return

    async def _to_draft(self, text: str, attempt: Attempt) -> Draft:
        ready = _ready(text, attempt)
        if is_refusal(ready):
            return self._refusal(attempt)
        verified = await self._verify(ready, attempt)
        if verified.failing and attempt.calls_left:
            verified = await self._repaired(ready, verified, attempt)
        numbers = sorted({mark.number for mark in marks(verified.text)})
        if not numbers:
            return self._refusal(attempt)
        chance = attempt.shelf.answerability(numbers)
        return self._draft(verified, attempt, chance + MODELS_WORD * verified.support * (1 - chance))

    async def _repaired(self, text: str, verified: Verified, attempt: Attempt) -> Verified:
        """The model's second version, where it is better; a failing repair costs nothing but itself."""
        attempt.add_draft(text, repair_message(verified.failing))
        try:
            async with asyncio.timeout(REPAIR_SECONDS):
                completion = await self._call(attempt, "none")
                second = _ready(whole_text(completion), attempt)
                again = await self._verify(second, attempt)
        except (ServiceError, TimeoutError) as error:
            _log.info("the repair of a draft failed: %s", type(error).__name__)
            return verified
        has_more = len(marks(again.text)) >= len(marks(verified.text)) or again.support > verified.support
        return again if again.text and has_more else verified

    async def _verify(self, text: str, attempt: Attempt) -> Verified:
        secret = f"{INSTRUCTIONS} {attempt.boundary}"
        return await self._verifier.check(text, attempt.shelf.chunks, asked=attempt.asked, secret=secret)

    async def _call(self, attempt: Attempt, choice: ToolChoice) -> Completion:
        """One call of the model, nothing of it shown."""
        async for piece in self._chat.stream(attempt.messages, tools=[TOOL], choice=choice):
            if isinstance(piece, Completion):
                attempt.count(piece)
                return piece
        raise AssertionError("a stream always ends with a completion")

    def _refusal(self, attempt: Attempt) -> Draft:
        return self._draft(Verified("", {}, 0.0), attempt, attempt.shelf.answerability())

    def _draft(self, verified: Verified, attempt: Attempt, answerability: float) -> Draft:
        return Draft(
            text=verified.text,
            chunks=attempt.shelf.chunks,
            answerability=answerability,
            model=self.model,
            quotes=verified.quotes,
            # What was not borne out is gone; that there was any still makes the rest less sure.
            support=(1 + verified.support) / 2 if verified.text else 0.0,
            retrievals=attempt.shelf.retrievals,
            is_everything=attempt.shelf.is_everything,
            tokens_used=attempt.usage.total,
            cost_usd=self._price.of(attempt.usage) if self._price else None,
        )


def _ready(text: str, attempt: Attempt) -> str:
    known = {found.chunk.url for found in attempt.shelf.chunks}
    return with_plain_marks(tamed(text, known_urls=known))
