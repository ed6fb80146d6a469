"""A message → what the bot makes of it: nothing, a question, or a word that is a command."""

from bot import wording
from bot.adapters.slack.place import event_id, is_direct, thread_key
from bot.adapters.slack.quoting import Quoting
from bot.adapters.slack.roles import Roles
from bot.adapters.slack.target import ThreadTarget
from bot.adapters.slack.words import Event, is_addressed, is_for_others, is_said_by_person, question_and_quote
from bot.adapters.slack.workspaces import Workspace
from bot.desk import Desk
from bot.heard import Heard, Quoted, stand_in, to_question
from bot.incoming import Incoming
from bot.reply import Reply
from bot.splitting import shortened
from bot.spoken import Spoken, to_spoken
from core.errors import QuestionError, ServiceError
from core.model import Question, SessionKey
from core.model.limits import MAX_SELECTED_CHARS


class Hearing:
    """Decides what a message is to the bot."""

    def __init__(self, *, desk: Desk, roles: Roles) -> None:
        self._desk = desk
        self._roles = roles
        self._quoting = Quoting(desk.answered)

    async def hear(
        self, event: Event, workspace: Workspace, team: str, *, is_late: bool = False, is_last_chance: bool = True
    ) -> Heard | None:
        """What to answer; None if the message is not for us.

        Raises:
            ServiceError: what the question is about cannot be read now, and Slack will deliver it again.
        """
        bot_user = workspace.bot_user
        if not is_said_by_person(event, bot_user):
            return None
        channel, ts = str(event["channel"]), str(event["ts"])
        key = thread_key(team, channel, str(event.get("thread_ts") or ts))
        is_named = is_addressed(event, bot_user) or is_direct(channel)
        if not is_named and not await self._is_follow_up(event, bot_user, key):
            return None
        refusal = await self._refusal(event, workspace)
        if refusal is not None and not is_named:
            return None
        text, quote = question_and_quote(event, bot_user)
        if refusal is not None or (spoken := to_spoken(text)) is not None:
            known = Reply.notice(refusal) if refusal is not None else None
            wish = None if refusal is not None else spoken
            return _event(event, stand_in(text, key), reply=known, spoken=wish)
        quoted = Quoted(shortened(quote, MAX_SELECTED_CHARS)) if quote else Quoted()
        is_under_something = key.thread != ts and not is_direct(channel)
        if not quote and is_under_something and not await self._desk.places.is_ours(key):
            quoted = await self._parent(workspace, key, is_last_chance=is_last_chance)
        question, reply = to_question(text, quoted, key)
        return _event(event, question, reply=reply, notes=quoted.notes, is_late=is_late)

    async def _is_follow_up(self, event: Event, bot_user: str, key: SessionKey) -> bool:
        """Whether something that does not name us is said to us all the same."""
        if not event.get("thread_ts") or is_for_others(event, bot_user):
            return False
        places = self._desk.places
        return await places.is_ours(key) and not await places.is_muted(key)

    async def _refusal(self, event: Event, workspace: Workspace) -> str | None:
        """Why this is not answered; None if it is."""
        try:
            await self._roles.check(workspace, str(event["user"]), str(event["channel"]))
        except QuestionError as error:
            return error.message
        return None

    async def _parent(self, workspace: Workspace, key: SessionKey, *, is_last_chance: bool) -> Quoted:
        try:
            return await self._quoting.parent(workspace, key.channel, key.thread)
        except ServiceError:
            if is_last_chance:
                return Quoted(notes=(wording.QUOTE_GONE,))
            raise

    async def about(self, message: Event, workspace: Workspace) -> Quoted:
        """A message that somebody picked from the menu, as selected text."""
        return await self._quoting.quote(workspace, message)


def _event(
    event: Event,
    question: Question,
    *,
    reply: Reply | None = None,
    spoken: Spoken | None = None,
    notes: tuple[str, ...] = (),
    is_late: bool = False,
) -> Heard:
    key, member, ts = question.key, str(event["user"]), str(event["ts"])
    team = key.group.partition(":")[2]
    target = ThreadTarget(team, key.channel, key.thread, member, since=ts, notes=notes)
    is_follow_up = key.thread != ts and reply is None and spoken is None
    incoming = Incoming(
        event_id=event_id(team, key.channel, ts),
        member_id=member,
        member_name=str((event.get("user_profile") or {}).get("display_name") or member),
        question=question,
        surface=target.to_json(),
        is_late=is_late,
        may_join=is_follow_up or (is_direct(key.channel) and reply is None and spoken is None),
    )
    return Heard(incoming, reply, spoken)
