"""How much members and groups may ask, counted from rows, so that a restart resets nothing."""

import math
from dataclasses import dataclass

from core.errors import RateLimited
from core.settings import Settings
from core.store.uses import Usage, Uses


@dataclass(frozen=True, slots=True)
class Budget:
    """What of a day the model answers; beyond it, answers quote the book. 0 means no limit."""

    questions: int = 0
    tokens: int = 0
    dollars: float = 0.0

    @property
    def is_endless(self) -> bool:
        return not (self.questions or self.tokens or self.dollars)

    def is_spent(self, used: Usage) -> bool:
        """Whether *used*, in which the question that asks is counted already, is more than this."""
        return bool(
            (self.questions and used.questions > self.questions)
            or (self.tokens and used.tokens >= self.tokens)
            or (self.dollars and used.cost_usd >= self.dollars)
        )


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much may be asked. 0 means no limit."""

    member_per_minute: int = 100
    group_per_minute: int = 100
    member_day: Budget = Budget()
    group_day: Budget = Budget()

    @classmethod
    def from_settings(cls, settings: Settings) -> "Allowance":
        return cls(
            member_per_minute=settings.member_per_minute,
            group_per_minute=settings.group_per_minute,
            member_day=Budget(settings.member_per_day, settings.member_tokens_per_day),
            group_day=Budget(
                settings.group_per_day, settings.group_tokens_per_day, settings.group_dollars_per_day
            ),
        )


class Limits:
    """Says whether one more question or search fits."""

    def __init__(self, *, uses: Uses, allowance: Allowance) -> None:
        self._uses = uses
        self._allowance = allowance

    async def check(self, *, group: str, member_id: str, event_id: str | None = None) -> None:
        """Let one more use pass. *event_id* is the question's own, which does not count against itself.

        Raises:
            RateLimited: it does not fit; *retry_after* says when it will.
        """
        for scope, who, limit in (
            ("member", member_id, self._allowance.member_per_minute),
            ("group", None, self._allowance.group_per_minute),
        ):
            if not limit:
                continue
            wait = await self._uses.wait_seconds(group=group, member_id=who, limit=limit, before=event_id)
            if wait > 0:
                raise _limited(scope, wait, limit)

    async def may_use_model(self, *, group: str, member_id: str) -> bool:
        """Whether the day's budgets still pay for a model; without it, answers quote the book."""
        for who, budget in ((member_id, self._allowance.member_day), (None, self._allowance.group_day)):
            if not budget.is_endless and budget.is_spent(await self._uses.today(group=group, member_id=who)):
                return False
        return True

    async def check_search(self, *, group: str, member_id: str) -> None:
        """Let one more search pass and count it.

        Raises:
            RateLimited: it does not fit.
        """
        await self.check(group=group, member_id=member_id)
        await self._uses.record_search(group=group, member_id=member_id)

    async def refuse(self, event_id: str) -> None:
        """Do not count a question that was over the limit."""
        await self._uses.refuse(event_id)


def _limited(scope: str, wait: float, limit: int) -> RateLimited:
    return RateLimited(
        f"over {limit} a minute for this {scope}",
        retry_after=math.ceil(wait),
        details={"scope": scope, "window": "minute", "limit": limit},
    )
