"""A writer that always comes to an end: when the model fails, the book is quoted instead."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from logging import getLogger
from time import monotonic

from core.answering.extractive_writer import said_before, to_draft
from core.answering.noting import BUDGET_SPENT, note_about
from core.errors import ServiceBusy, ServiceError
from core.model import Draft, Findings, StageEvent, Task, TextEvent
from core.ports import Writer
from core.providers.trouble import BAD_KEY, NO_QUOTA

REST_SECONDS = 300.0
"""A key or a quota does not come back by itself within a question or two."""
MAX_REST_SECONDS = 120.0
OUTAGE_FAILURES = 2
OUTAGE_SECONDS = 30.0
"""After two failures in a row the model is left alone for this long, so that members do not wait one by one."""
_log = getLogger(__name__)


class SteadyWriter:
    """Lets *first* write, else *fallback*, with a note that says so.

    What *first* had found before it failed is quoted as it is; *fallback* searches where nothing was found.

    *clock* gives the seconds by which a model that failed is left alone.
    """

    def __init__(self, *, first: Writer, fallback: Writer, clock: Callable[[], float] = monotonic) -> None:
        self._first = first
        self._fallback = fallback
        self._clock = clock
        self._rests_until = 0.0
        self._rest_note = ""
        self._failures = 0

    @property
    def model(self) -> str:
        return self._first.model

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Draft]:
        """Tell what happens, then give the draft of whoever could write it.

        Raises:
            ServiceError: not even quoting was possible: the index or the store failed.
        """
        note = self._reason_to_rest(task)
        found: Findings | None = None
        if not note:
            try:
                async for event in self._first.write(task):
                    if isinstance(event, Findings):
                        found = event
                    else:
                        yield event
            except ServiceError as error:
                _log.warning("the model did not answer: %s", error.message)
                self._rest_after(error)
                note = note_about(error)
            else:
                self._failures = 0
                return
        if found is not None:
            yield replace(to_draft(found, said=said_before(task)), notes=(note,))
            return
        async for event in self._fallback.write(task):
            if isinstance(event, Draft):
                yield replace(event, notes=(*event.notes, note))
            elif not isinstance(event, Findings):
                yield event

    def _reason_to_rest(self, task: Task) -> str:
        if not task.question.may_use_model:
            return BUDGET_SPENT
        return self._rest_note if self._clock() < self._rests_until else ""

    def _rest_after(self, error: ServiceError) -> None:
        """Do not make the next members wait for what is known to fail."""
        self._failures += 1
        seconds = OUTAGE_SECONDS if self._failures >= OUTAGE_FAILURES else 0.0
        if error.details.get("problem") in {BAD_KEY, NO_QUOTA}:
            seconds = REST_SECONDS
        elif isinstance(error, ServiceBusy):
            seconds = max(seconds, min(error.retry_after or 0, MAX_REST_SECONDS))
        self._rests_until = self._clock() + seconds
        self._rest_note = note_about(error)
