"""One turn from its row to its reply; the one place where failures become sentences."""

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass, replace

from bot import wording
from bot.asking import Answerer, Asking
from bot.limits import Limits
from bot.reply import Reply
from bot.showing import Showing
from bot.surface import Delivery, Surface, Undeliverable
from core.errors import FootnoteError, QuestionError, RateLimited, ServiceDown, ServiceError, SettingsError
from core.model import Question
from core.settings import Settings
from core.store.ledger import Ledger
from core.store.turn import Outcome, StoredTurn

log = logging.getLogger(__name__)


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
    suspect_after: int = 3
    """A turn in whose midst so many processes ended may be the reason, and is answered alone from then on."""
    alone_after_seconds: tuple[float, ...] = (5, 30, 120)
    """How long a process must have lived before it answers a suspect: others are answered first, and a process
    that is ended often from outside is not ended in the midst of it. One number for each time that a suspect
    is tried; when the process ended each time, it was the reason, and we stop trying and say so."""
    retry_pauses: tuple[float, ...] = (1, 2, 5, 10, 20, 30, 60, 120, 300)
    """Seconds between attempts to deliver to a platform that does not take it; the last one repeats."""
    give_up_after_seconds: float = 3600.0
    """A reply that the platform did not take for so long is not waited for any more."""
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
        self._known = {"turn": turn.event_id}
        """What each line of the log says besides."""
        self.showing = Showing(surface=surface, delivery=self._delivery, every_seconds=show_every_seconds)
        self._surface = surface
        self._ledger = ledger
        self._limits = limits
        self._rules = rules
        self._is_resumed = is_resumed
        tries_alone = turn.attempts - rules.suspect_after
        self.is_suspect = turn.reply is None and 0 <= tries_alone < len(rules.alone_after_seconds)
        """It may be what ended earlier processes."""
        self.alone_after_seconds = rules.alone_after_seconds[tries_alone] if self.is_suspect else 0.0
        """How long the process must have lived before it is answered."""
        self._was_moved = False
        self._has_begun = False
        self._failing_since: float | None = None
        self._posted = list(turn.posted)
        self._asking = Asking(agent, showing=self.showing, timeout_seconds=rules.answer_timeout_seconds)

    def move_to(self, surface: Surface) -> None:
        """Show the reply there: the platform is served anew, and what was posted before may be unknown to us."""
        self._surface = surface
        self._was_moved = True
        self.showing.move_to(surface)

    async def attempt(self) -> float | None:
        """Bring the turn to its end; the seconds after which to try again where that was not possible."""
        try:
            try:
                await self.finish()
            except ServiceError as error:
                pause = self._pause_after(error)
                if pause is None:
                    await self._give_up(error)
                return pause
        except Exception:
            # Only the ledger itself can fail here; the row stays open and the next start takes it up.
            log.exception("a turn was left open", extra=self._known)
        return None

    async def finish(self) -> None:
        """Bring the turn to its end from wherever it is.

        Raises:
            ServiceError: the platform or the database did not do its part; finish again later.
        """
        stored = self.turn.reply if not self._asking.is_stopped else None
        reply = Reply.from_dict(stored) if stored else await self._answer()
        await asyncio.gather(self.showing.settle(), self._ledger.delivering(self.turn.id))
        await self._deliver(reply)

    async def _answer(self) -> Reply:
        reference = secrets.token_hex(3)
        self.turn = turn = await self._ledger.answering(self.turn.id, is_again=self._has_begun)
        self._has_begun = True
        if turn.attempts > self._rules.suspect_after + len(self._rules.alone_after_seconds):
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
            if self._asking.is_stopped:
                return Reply.notice(wording.STOPPED), "stopped"
            answer = await self._asking.ask(await self._within_limits(turn))
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

    def stop(self) -> bool:
        """Break off; False if the answer is already there."""
        return self.turn.reply is None and self._asking.stop()

    async def _deliver(self, reply: Reply) -> None:
        try:
            await self._surface.deliver(reply, self._delivery())
            await self._ledger.done(self.turn.id)
        except ServiceError:
            raise
        except SettingsError as error:
            # The platform refuses our token. The operator can repair that, and the reply waits for it.
            raise ServiceDown(self.turn.question.key.platform, error.message) from error
        except Undeliverable as error:
            log.warning("a turn cannot be delivered: %s", error.message, extra=self._known)
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
            extra = {**self._known, "reference": reference}
            log.exception("not even an apology could be delivered", extra=extra)
        await self._ledger.failed(self.turn.id, f"not shown: {type(error).__name__} (reference {reference})")

    def _pause_after(self, error: ServiceError) -> float | None:
        """How long to wait before finishing again after *error*; None if it went on for too long."""
        now = time.monotonic()
        self._failing_since = self._failing_since or now
        if now - self._failing_since >= self._rules.give_up_after_seconds:
            return None
        pauses = self._rules.retry_pauses
        pause = max(pauses[min(self.retries, len(pauses) - 1)], error.retry_after or 0)
        self.retries += 1
        log.warning("a turn waits: %s; again in %s s", error, pause, extra=self._known)
        return pause

    async def _give_up(self, error: ServiceError) -> None:
        """The platform did not take the reply for so long that nobody waits for it any more."""
        log.error("giving up a turn after %d attempts: %s", self.retries + 1, error, extra=self._known)
        await self._ledger.failed(self.turn.id, f"gave up: {error.message}")

    def _delivery(self) -> Delivery:
        return Delivery(
            posted=tuple(self._posted),
            save=self._save,
            nonce=self.turn.nonce,
            is_retry=self._is_resumed or self._was_moved or self.retries > 0,
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
    extra = {"turn": turn.event_id, "reference": reference}
    if isinstance(error, ServiceError):
        log.warning("a turn failed: %s: %s", type(error).__name__, error, extra=extra)
    else:
        log.error("a turn failed", exc_info=error, extra=extra)
