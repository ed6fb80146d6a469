"""Cohere: the client, and its errors as ours. The package is optional and imported when it is first needed."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core.errors import ServiceBusy, ServiceError, ServiceTimeout, SettingsError
from core.providers.trouble import BAD_KEY, NONSENSE, REFUSED, service_down, wait_seconds
from core.settings import Settings

if TYPE_CHECKING:
    from cohere import AsyncClientV2

SERVICE = "cohere"
TIMEOUT_SECONDS = 30.0


def to_client(settings: Settings) -> "AsyncClientV2":
    """A client for Cohere. Close it with `close_client`.

    Raises:
        SettingsError: the package is not installed.
    """
    try:
        import cohere  # noqa: PLC0415 optional, and slow to import
    except ImportError as error:
        raise SettingsError("Cohere is chosen but not installed. Run: pip install 'footnote[cohere]'") from error
    return cohere.AsyncClientV2(
        api_key=settings.cohere_api_key,
        base_url=settings.cohere_base_url,
        timeout=TIMEOUT_SECONDS,
        max_retries=settings.openai_retries,
        log_warning_experimental_features=False,
    )


async def close_client(client: "AsyncClientV2") -> None:
    """Let go of the client's sockets; it offers no other way than leaving its context."""
    await client.__aexit__(None, None, None)  # type: ignore[no-untyped-call] # of the SDK


@contextmanager
def translated() -> Iterator[None]:
    """Raise what the server or the network did as a ServiceError; let our own mistakes through."""
    import httpx  # noqa: PLC0415 comes with the optional package
    from cohere.core.api_error import ApiError  # noqa: PLC0415 the same
    from cohere.core.parse_error import ParsingError  # noqa: PLC0415 the same

    try:
        yield
    except ApiError as error:
        raise _from_status(error.status_code or 0, error.headers, error.body) from error
    # The SDK wraps what the server answered, not what the network did.
    except httpx.TimeoutException as error:
        raise ServiceTimeout(SERVICE, "no answer in time") from error
    except httpx.HTTPError as error:
        raise service_down(SERVICE, "unreachable", "the connection failed") from error
    except (ParsingError, json.JSONDecodeError) as error:
        raise service_down(SERVICE, NONSENSE, "its answer could not be read") from error


def _from_status(status: int, headers: dict[str, str] | None, body: Any) -> ServiceError:
    wait = wait_seconds({name.lower(): value for name, value in (headers or {}).items()})
    match status:
        case 429:
            return ServiceBusy(SERVICE, "too many requests", retry_after=wait)
        case 401 | 403:
            return service_down(SERVICE, BAD_KEY, "the key was not accepted")
        case 408 | 504:
            return ServiceTimeout(SERVICE, f"status {status}")
        case _ if status >= 500:
            return service_down(SERVICE, "failed", f"status {status}")
        case _:
            return service_down(SERVICE, REFUSED, f"status {status}: {str(body)[:300]}")
