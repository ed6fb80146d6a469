"""The one place where Discord's errors become ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import discord

from bot.surface import Undeliverable
from core.errors import ServiceBusy, ServiceDown

SERVICE = "discord"
UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
INVALID_WEBHOOK_TOKEN = 50027
THREAD_IS_ARCHIVED = 50083
THREAD_EXISTS = 160004
EXPIRED = {UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION, INVALID_WEBHOOK_TOKEN}
"""How Discord says that an interaction can no longer be answered."""


TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What Discord or the network may do to any request."""


@contextmanager
def translated(client: discord.Client) -> Iterator[None]:
    """Raise what Discord or the network did as ServiceError, and what can never work as Undeliverable."""
    try:
        yield
    except discord.RateLimited as error:
        raise ServiceBusy(SERVICE, str(error), retry_after=int(error.retry_after) + 1) from error
    except discord.Forbidden as error:
        raise Undeliverable(f"Discord forbids it ({error.code}: {error.text})") from error
    except discord.NotFound as error:
        raise Undeliverable(f"its place is gone ({error.code}: {error.text})") from error
    except discord.HTTPException as error:
        if error.status == 429:
            raise ServiceBusy(SERVICE, str(error)) from error
        if error.status >= 500:
            raise ServiceDown(SERVICE, str(error)) from error
        raise
    except (TimeoutError, aiohttp.ClientError, OSError) as error:
        raise ServiceDown(SERVICE, f"{type(error).__name__}: {error}") from error
    except RuntimeError as error:
        if not client.is_closed():
            raise
        # The bot is stopping, or a new client takes this one's place: the reply is for whoever comes next.
        raise ServiceDown(SERVICE, "the client is closed") from error
