"""OpenAI and every server that speaks like it: the client, and its errors as ours."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import openai
from openai import AsyncOpenAI, Timeout

from core.errors import ServiceBusy, ServiceError, ServiceTimeout
from core.providers.trouble import BAD_KEY, NO_QUOTA, NONSENSE, REFUSED, service_down, wait_seconds
from core.settings import Settings

SERVICE = "openai"
CONNECT_SECONDS = 5.0
NO_KEY = "none"
"""Local servers ask for no key, the client insists on one."""


def to_client(settings: Settings) -> AsyncOpenAI:
    """A client for the server the operator chose. Close it with `await client.close()`."""
    seconds = float(settings.openai_timeout_seconds)
    return AsyncOpenAI(
        api_key=settings.openai_api_key or NO_KEY,
        base_url=settings.openai_base_url or "https://api.openai.com/v1",
        timeout=Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
        max_retries=settings.openai_retries,
    )


@contextmanager
def translated() -> Iterator[None]:
    """Raise what the server or the network did as a ServiceError; let our own mistakes through."""
    try:
        yield
    except (openai.APIError, json.JSONDecodeError) as error:
        raise _to_ours(error) from error


def _to_ours(error: openai.APIError | json.JSONDecodeError) -> ServiceError:
    if isinstance(error, json.JSONDecodeError):
        # The SDK lets this one through when an event of the stream is not JSON.
        return service_down(SERVICE, NONSENSE, "it sent something that is not JSON")
    if isinstance(error, openai.APITimeoutError):
        return ServiceTimeout(SERVICE, "no answer in time")
    if isinstance(error, openai.APIConnectionError):
        return service_down(SERVICE, "unreachable", "the connection failed")
    if isinstance(error, openai.APIStatusError):
        return _from_status(error)
    return service_down(SERVICE, "failed", f"an error inside the stream: {error.message[:200]}")


def _from_status(error: openai.APIStatusError) -> ServiceError:
    wait = wait_seconds(error.response.headers)
    match error.status_code:
        case 429 if error.code == "insufficient_quota":
            return service_down(SERVICE, NO_QUOTA, "the account has no quota left")
        case 429:
            return ServiceBusy(SERVICE, "too many requests", retry_after=wait)
        case 401 | 403:
            return service_down(SERVICE, BAD_KEY, "the key was not accepted")
        case 408 | 504:
            return ServiceTimeout(SERVICE, f"status {error.status_code}")
        case status if status >= 500:
            down = service_down(SERVICE, "failed", f"status {status}")
            down.retry_after = wait
            return down
        case status:
            return service_down(SERVICE, REFUSED, f"status {status}: {error.message[:300]}")
