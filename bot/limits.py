"""How much members and groups may ask, counted from rows, so that a restart resets nothing."""

import math
from dataclasses import dataclass

from core.errors import RateLimited
from core.settings import Settings
from core.store.uses import Uses


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much may be asked. 0 means no limit."""

    member_per_minute: int = 100
    group_per_minute: int = 100
    member_questions_per_day: int = 0
    group_tokens_per_day: int = 0
    group_dollars_per_day: float = 0.0

    @classmethod
    def from_settings(cls, settings: Settings) -> "Allowance":
        return cls(
            member_per_minute=settings.member_per_minute,
            group_per_minute=settings.group_per_minute,
            member_questions_per_day=settings.member_per_day,
            group_tokens_per_day=settings.group_tokens_per_day,
            group_dollars_per_day=settings.group_dollars_per_day,
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
                raise _limited(scope, "minute", wait, limit)
        await self._check_day(group=group, member_id=member_id, is_counted=event_id is not None)

    async def _check_day(self, *, group: str, member_id: str, is_counted: bool) -> None:
        limit = self._allowance.member_questions_per_day
        if not limit or not is_counted:
            return
        used = await self._uses.today(group=group, member_id=member_id)
        # The question that asks is itself counted already.
        if used.questions > limit:
            raise _limited("member", "day", self._uses.seconds_until_tomorrow(), limit)

    async def may_use_model(self, *, group: str) -> bool:
        """Whether the group's budget of the day still pays for a model; without it, answers quote the book."""
        tokens, dollars = self._allowance.group_tokens_per_day, self._allowance.group_dollars_per_day
        if not tokens and not dollars:
            return True
        used = await self._uses.today(group=group)
        return not (tokens and used.tokens >= tokens) and not (dollars and used.cost_usd >= dollars)

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


def _limited(scope: str, window: str, wait: float, limit: int) -> RateLimited:
    return RateLimited(
        f"over {limit} a {window} for this {scope}",
        retry_after=math.ceil(wait),
        details={"scope": scope, "window": window, "limit": limit},
    )
