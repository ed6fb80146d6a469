"""One turn from its row to its reply; the one place where failures become sentences."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Protocol

from bot import wording
from bot.limits import Limits
from bot.reply import Reply
from bot.showing import Showing
from bot.surface import Delivery, Progress, Surface, Undeliverable
from core.errors import FootnoteError, QuestionError, RateLimited, ServiceError, ServiceTimeout
from core.model import Answer, AnswerEvent, AskEvent, Question, StageEvent, TextEvent
from core.settings import Settings
from core.store.ledger import Ledger, Outcome
from core.store.turn import StoredTurn

log = logging.getLogger(__name__)


class Answerer(Protocol):
    """What thinks: the agent, or a script in tests."""

    def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        """Tell each stage and the text so far; the last event carries the finished answer."""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """How turns are worked on."""

    at_once: int = 8
    """How many turns are answered at the same time, over all platforms."""
    join_seconds: float = 1.5
    """How long a turn that may be joined waits for more of the same member's words."""
    late_after_seconds: float = 120.0
    """A turn taken up again after this long says that it is late."""
    answer_timeout_seconds: float = 180.0
    max_attempts: int = 8
    """After this many starts that never came to an answer, we stop trying and say so."""
    retry_pauses: tuple[float, ...] = (1, 2, 5, 10, 20, 30, 60, 120, 300)
    """Seconds between attempts to deliver to a platform that does not take it."""
    places_every_seconds: float = 1.0

    @classmethod
    def from_settings(cls, settings: Settings) -> "TurnRules":
        return cls(at_once=settings.answers_at_once, join_seconds=settings.join_seconds)


class TurnWork:
    """The work on one turn: waiting, answering, delivering."""

    def __init__(
        self,
        turn: StoredTurn,
        *,
        surface: Surface,
        agent: Answerer,
        ledger: Ledger,
        limits: Limits,
        rules: TurnRules,
        is_resumed: bool,
        show_every_seconds: float = 0.0,
    ) -> None:
        self.turn = turn
        self.retries = 0
        self.showing = Showing(surface=surface, delivery=self._delivery, every_seconds=show_every_seconds)
        self._surface = surface
        self._agent = agent
        self._ledger = ledger
        self._limits = limits
        self._rules = rules
        self._is_resumed = is_resumed
        self._posted = list(turn.posted)
        self._asking: asyncio.Task[Answer] | None = None
        self._is_stopped = False

    async def finish(self) -> None:
        """Bring the turn to its end from wherever it is.

        Raises:
            ServiceError: the platform or the database did not do its part; finish again later.
        """
        stored = self.turn.reply if not self._is_stopped else None
        reply = Reply.from_dict(stored) if stored else await self._answer()
        await self.showing.settle()
        await self._ledger.delivering(self.turn.id)
        await self._deliver(reply)

    async def _answer(self) -> Reply:
        reference = secrets.token_hex(3)
        self.turn = turn = await self._ledger.answering(self.turn.id)
        if turn.attempts > self._rules.max_attempts:
            text = wording.TOO_MANY_TRIES.format(attempts=turn.attempts - 1, reference=reference)
            reply, reason = Reply.failure(text, None, reference=reference), "too many tries"
        else:
            reply, reason = await self._reply_to(turn, reference)
        if turn.is_late or self._is_overdue:
            reply = replace(reply, notes=(wording.LATE, *reply.notes))
        outcome = Outcome(
            kind=str(reply.kind),
            reference=reply.reference,
            reason=reason,
            request_id=reply.request_id,
            session_id=reply.session_id,
            tokens_used=reply.tokens_used,
            cost_usd=reply.cost_usd,
        )
        await self._ledger.answered(turn.id, reply.to_dict(), outcome)
        self.turn = replace(turn, reply=reply.to_dict())
        return reply

    async def _reply_to(self, turn: StoredTurn, reference: str) -> tuple[Reply, str]:
        """The reply and, where it is a failure, the reason for the operator."""
        try:
            if self._is_stopped:
                return Reply.notice(wording.STOPPED), "stopped"
            answer = await self._ask(await self._within_limits(turn))
            return (Reply.from_answer(answer), "") if answer else (Reply.notice(wording.STOPPED), "stopped")
        except Exception as error:
            if isinstance(error, RateLimited):
                await self._limits.refuse(turn.event_id)
            _record(error, turn, reference)
            known = error if isinstance(error, FootnoteError) else None
            shown = "" if isinstance(error, QuestionError | RateLimited) else reference
            text = wording.for_error(error, reference=reference)
            return Reply.failure(text, known, reference=shown), type(error).__name__

    async def _within_limits(self, turn: StoredTurn) -> Question:
        group = turn.question.key.group
        await self._limits.check(group=group, member_id=turn.member_id, event_id=turn.event_id)
        may_use_model = await self._limits.may_use_model(group=group, member_id=turn.member_id)
        return replace(turn.question, may_use_model=may_use_model, event_id=turn.event_id)

    async def _ask(self, question: Question) -> Answer | None:
        """The finished answer, its progress shown meanwhile; None if it was stopped."""
        self._asking = asyncio.create_task(self._listen(question))
        try:
            async with asyncio.timeout(self._rules.answer_timeout_seconds):
                return await self._asking
        except TimeoutError as error:
            raise ServiceTimeout("answer", f"no answer in {self._rules.answer_timeout_seconds:.0f} s") from error
        except asyncio.CancelledError:
            if self._is_stopped:
                return None
            raise
        finally:
            self._asking = None

    async def _listen(self, question: Question) -> Answer:
        async for event in self._agent.ask(question):
            match event:
                case StageEvent(stage):
                    self.showing.show(Progress(stage=stage))
                case TextEvent(text):
                    self.showing.show(Progress(text=text))
                case AnswerEvent(answer):
                    return answer
        raise AssertionError("asking always ends with an answer")

    def stop(self) -> bool:
        """Break off; False if the answer is already there."""
        if self.turn.reply is not None or (self._asking is not None and self._asking.done()):
            return False
        self._is_stopped = True
        if self._asking is not None:
            self._asking.cancel()
        return True

    async def _deliver(self, reply: Reply) -> None:
        try:
            await self._surface.deliver(reply, self._delivery())
            await self._ledger.done(self.turn.id)
        except ServiceError:
            raise
        except Undeliverable as error:
            log.warning("turn %s cannot be delivered: %s", self.turn.event_id, error.message)
            await self._ledger.failed(self.turn.id, f"undeliverable: {error.message}")
        except Exception as error:
            await self._deliver_apology(error)

    async def _deliver_apology(self, error: Exception) -> None:
        """Our own mistake in showing a reply must not leave a member without one."""
        reference = secrets.token_hex(3)
        _record(error, self.turn, reference)
        apology = Reply.failure(wording.for_error(error, reference=reference), None, reference=reference)
        try:
            await self._surface.deliver(apology, self._delivery())
        except ServiceError:
            raise
        except Exception:
            log.exception("not even an apology could be delivered (reference %s)", reference)
        await self._ledger.failed(self.turn.id, f"not shown: {type(error).__name__} (reference {reference})")

    async def give_up(self, error: ServiceError) -> None:
        """The platform did not take the reply for so long that nobody waits for it any more."""
        await self._ledger.failed(self.turn.id, f"gave up: {error.message}")

    def _delivery(self) -> Delivery:
        return Delivery(
            posted=tuple(self._posted),
            save=self._save,
            nonce=self.turn.nonce,
            is_retry=self._is_resumed or self.retries > 0,
        )

    async def _save(self, message_id: str) -> None:
        if message_id not in self._posted:
            self._posted.append(message_id)
            await self._ledger.posted(self.turn.id, message_id)

    @property
    def _is_overdue(self) -> bool:
        return self._is_resumed and time.time() - self.turn.received_at > self._rules.late_after_seconds


def _record(error: Exception, turn: StoredTurn, reference: str) -> None:
    """Log what an operator can act on: ids and kinds, never a member's words."""
    if isinstance(error, QuestionError | RateLimited):
        return
    if isinstance(error, ServiceError):
        log.warning("turn %s: %s: %s (reference %s)", turn.event_id, type(error).__name__, error, reference)
    else:
        log.error("turn %s failed (reference %s)", turn.event_id, reference, exc_info=error)
