"""What is done when a member says "stop", "mute", "forget" or "show source 2"."""

from bot import wording
from bot.desk import Desk
from bot.markup import escape_markdown
from bot.member import Member
from bot.reply import Reply
from bot.spoken import Spoken, Wish
from bot.turns import Turns


class Wishes:
    """Grants wishes, the same on every platform. *help_text* and *hello* are the platform's own."""

    def __init__(self, *, desk: Desk, turns: Turns, help_text: str, hello: str = wording.HELLO) -> None:
        self._desk = desk
        self._turns = turns
        self._help_text = help_text
        self._hello = hello

    async def grant(self, spoken: Spoken, member: Member) -> Reply | None:
        """Do it, and say so; None where nothing needs to be said, or the stopped answer says it itself."""
        match spoken.wish:
            case Wish.STOP:
                return None if self._turns.stop_all(member.key) else Reply.notice(wording.NOTHING_TO_STOP)
            case Wish.MUTE:
                await self._desk.places.mute(member.key)
                told = wording.MUTED
            case Wish.UNMUTE:
                await self._desk.places.unmute(member.key)
                told = wording.UNMUTED
            case Wish.FORGET:
                told = wording.FORGOTTEN if await self._desk.forget(member) else wording.NOTHING_TO_FORGET
            case Wish.SOURCE:
                told = await self._source(member, spoken.number)
            case Wish.HELP:
                told = self._help_text
            case Wish.GREETING:
                told = self._hello
            case Wish.THANKS:
                told = wording.WELCOME
            case Wish.NOTHING:
                return None
        return Reply.notice(told)

    async def _source(self, member: Member, number: int) -> str:
        chunk = await self._desk.answered.last_source(member, number)
        if chunk is None:
            return wording.NO_SOURCE.format(number=number)
        return f"**{escape_markdown(chunk.breadcrumb or chunk.page_title)}**\n\n{chunk.text}"
