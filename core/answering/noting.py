"""What a member is told about an answer that the model could not write."""

from core.errors import ServiceBusy, ServiceError, ServiceTimeout
from core.providers.trouble import BAD_KEY, BROKE_OFF, NO_QUOTA, NONSENSE, WITHHELD

_QUOTED = "so I went by the book's own words."
"""True of a quotation, and of a refusal after none was found."""

BUDGET_SPENT = f"Today's budget for the model is used up, {_QUOTED}"
TOO_LATE = f"The model took too long, {_QUOTED}"
BUSY = f"The model is busy right now, {_QUOTED}"
AWAY = f"The model cannot be reached right now, {_QUOTED}"

_BY_PROBLEM = {
    NO_QUOTA: f"The model's account has no quota left, {_QUOTED}",
    BAD_KEY: f"The model did not accept our key, {_QUOTED}",
    BROKE_OFF: f"The model broke off in the middle, {_QUOTED}",
    WITHHELD: f"The model's provider withheld its answer, {_QUOTED}",
    NONSENSE: f"The model's answer could not be read, {_QUOTED}",
}


def note_about(error: ServiceError) -> str:
    """One sentence: what happened, and what the member gets instead."""
    problem = error.details.get("problem")
    if isinstance(problem, str) and problem in _BY_PROBLEM:
        return _BY_PROBLEM[problem]
    if isinstance(error, ServiceBusy):
        return BUSY
    return TOO_LATE if isinstance(error, ServiceTimeout) else AWAY
