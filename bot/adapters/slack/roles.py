"""What somebody may do in a workspace: an admin or not, and in which of the user groups that matter here."""

from collections.abc import Callable
from time import monotonic

from slack_sdk.errors import SlackApiError

from bot import wording
from bot.adapters.slack.place import is_direct
from bot.adapters.slack.trouble import translated
from bot.adapters.slack.workspaces import Workspace
from bot.permissions import Permissions
from core.errors import QuestionError

REMEMBER_SECONDS = 300.0


class Roles:
    """Asks Slack, and remembers for a few minutes."""

    def __init__(self, permissions: Permissions, *, clock: Callable[[], float] = monotonic) -> None:
        self._permissions = permissions
        self._clock = clock
        self._admins: dict[tuple[str, str], tuple[float, bool]] = {}
        self._members: dict[tuple[str, str], tuple[float, frozenset[str]]] = {}

    async def check(self, workspace: Workspace, member: str, channel: str) -> None:
        """Let pass whoever may ask here: every question, every search and every passage comes by.

        Raises:
            QuestionError: the operator does not let them, and what to say about it.
        """
        # On the app's own page the member stands in the place of a channel.
        is_own_place = is_direct(channel) or channel == member
        if not is_own_place and not self._permissions.may_ask_in([channel]):
            raise QuestionError(wording.NOT_HERE)
        if not await self._may_ask(workspace, member):
            raise QuestionError(wording.NOT_YOU)

    async def _may_ask(self, workspace: Workspace, member: str) -> bool:
        if not self._permissions.roles:
            return True
        groups = await self._groups_of(workspace, member)
        if self._permissions.may_ask(groups):
            return True
        return self._permissions.may_ask(groups, is_manager=await self._is_admin(workspace, member))

    async def leads(self, workspace: Workspace, member: str) -> bool:
        """Whether this member may use the leaders' commands."""
        groups = await self._groups_of(workspace, member)
        if self._permissions.leads(groups, is_manager=False):
            return True
        return self._permissions.leads(groups, is_manager=await self._is_admin(workspace, member))

    async def _is_admin(self, workspace: Workspace, member: str) -> bool:
        asked_at, known = self._admins.get((workspace.team, member), (float("-inf"), False))
        if self._clock() - asked_at < REMEMBER_SECONDS:
            return known
        with translated():
            found = await workspace.client.users_info(user=member)
        user = found["user"]
        is_admin = bool(user.get("is_admin") or user.get("is_owner"))
        self._admins[workspace.team, member] = (self._clock(), is_admin)
        return is_admin

    async def _groups_of(self, workspace: Workspace, member: str) -> list[str]:
        named = self._permissions.roles | self._permissions.leader_roles
        return [group for group in sorted(named) if member in await self._members_of(workspace, group)]

    async def _members_of(self, workspace: Workspace, group: str) -> frozenset[str]:
        asked_at, known = self._members.get((workspace.team, group), (float("-inf"), frozenset()))
        if self._clock() - asked_at < REMEMBER_SECONDS:
            return known
        try:
            found = await workspace.client.usergroups_users_list(usergroup=group)
            members = frozenset(found["users"])
        except SlackApiError:
            # The group belongs to another workspace, or was deleted: nobody here is in it.
            members = frozenset()
        self._members[workspace.team, group] = (self._clock(), members)
        return members
