"""What the services with a key do to us, sorted by what someone can do about it."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time

from core.errors import ServiceDown

NO_QUOTA = "quota"
BAD_KEY = "key"
REFUSED = "refused"
BROKE_OFF = "broke_off"
WITHHELD = "withheld"
NONSENSE = "nonsense"


def service_down(service: str, problem: str, reason: str) -> ServiceDown:
    """A ServiceDown whose details name the *problem* in one word, for code that can act on it."""
    error = ServiceDown(service, reason)
    error.details["problem"] = problem
    return error


def wait_seconds(headers: Mapping[str, str] | None) -> int | None:
    """How long the service asks us to wait, given as seconds or as a date."""
    given = (headers or {}).get("retry-after")
    if given is None:
        return None
    try:
        return max(0, round(float(given)))
    except ValueError:
        pass
    try:
        return max(0, round(parsedate_to_datetime(given).timestamp() - time()))
    except ValueError:
        return None
