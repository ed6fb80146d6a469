"""The one place where Slack's errors become ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot.surface import Undeliverable
from core.errors import ServiceBusy, ServiceDown, ServiceTimeout, SettingsError

_NO_PLACE = {
    "channel_not_found", "not_in_channel", "is_archived", "thread_not_found", "restricted_action", "no_permission",
    "user_not_in_channel", "cannot_dm_bot", "user_disabled", "restricted_action_thread_only_channel",
    "restricted_action_read_only_channel", "ekm_access_denied",
}  # fmt: skip
_NO_ACCESS = {
    "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "missing_scope",
    "team_access_not_granted", "org_login_required", "not_allowed_token_type",
}  # fmt: skip
_OUR_FAULT = {
    "invalid_blocks", "invalid_blocks_format", "msg_too_long", "msg_blocks_too_long", "no_text",
    "invalid_arguments", "invalid_array_arg", "markdown_text_conflict", "invalid_arg_name",
}  # fmt: skip


@contextmanager
def translated() -> Iterator[None]:
    """Turn what Slack or the network raises inside the block into our errors.

    Raises:
        ServiceError: only time can help.
        Undeliverable: we may not, or can no longer, write there.
        SettingsError: the app's token or scopes do not do.
    """
    try:
        yield
    except SlackApiError as error:
        raise _in_our_words(error) from error
    except TimeoutError as error:
        raise ServiceTimeout("slack", "no answer in time") from error
    # The SDK wraps what Slack answered, not what the network did.
    except (aiohttp.ClientError, SlackRequestError, OSError) as error:
        raise ServiceDown("slack", type(error).__name__) from error


def _in_our_words(error: SlackApiError) -> Exception:
    code = error_code(error)
    if code == "ratelimited":
        return ServiceBusy("slack", code, retry_after=retry_after(error))
    if code in _NO_PLACE:
        return Undeliverable(f"Slack says {code}", details={"reason": code})
    if code in _NO_ACCESS:
        return SettingsError(f"Slack refuses the bot token: {code}.", details={"reason": code})
    if code in _OUR_FAULT:
        return ValueError(f"Slack does not take what we sent: {code}")
    return ServiceDown("slack", code)


def error_code(error: SlackApiError) -> str:
    """Slack's own word for what went wrong."""
    response = error.response
    return str(response.get("error") or "unknown") if response is not None else "unknown"


def retry_after(error: SlackApiError) -> int:
    headers = getattr(error.response, "headers", None) or {}
    value = str(headers.get("Retry-After", "1"))
    return int(value) if value.isdigit() else 1
