"""Which channels everybody in a workspace may look into; their ids do not tell."""

from collections.abc import Callable
from time import monotonic

from bot.adapters.slack.trouble import translated
from bot.adapters.slack.workspaces import Workspace
from bot.surface import Undeliverable
from core.errors import SettingsError

REMEMBER_SECONDS = 300.0


class Channels:
    """Asks Slack, and remembers for a few minutes."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._public: dict[tuple[str, str], tuple[float, bool]] = {}

    async def is_public(self, workspace: Workspace, channel: str) -> bool:
        """Whether a channel is open to all; not if Slack does not let us know.

        Raises:
            ServiceError: Slack cannot be asked now.
        """
        asked_at, known = self._public.get((workspace.team, channel), (float("-inf"), False))
        if self._clock() - asked_at < REMEMBER_SECONDS:
            return known
        is_public = await self._ask(workspace, channel)
        self._public[workspace.team, channel] = (self._clock(), is_public)
        return is_public

    async def _ask(self, workspace: Workspace, channel: str) -> bool:
        try:
            with translated():
                found = (await workspace.client.conversations_info(channel=channel))["channel"]
        except (Undeliverable, SettingsError):
            # A private channel that we are not in, one that was deleted, or a scope that the app does not have.
            return False
        return not (found.get("is_private") or found.get("is_mpim") or found.get("is_im"))
