"""Threads: listing them, going on in one, reading it again, forgetting it."""

from bot import wording
from bot.cli.chat.lines import Line
from bot.cli.chat.seat import Seat
from bot.cli.chat.thread import CHANNEL, PLATFORM, Thread, from_messages
from core.model import LOCAL_GROUP, Session
from core.store.places import Places


async def threads(seat: Seat, line: Line) -> None:
    await _list(seat)
    for number, session in enumerate(seat.listed, start=1):
        here = " (here)" if session.key == seat.thread.key else ""
        title = await _title(seat, session)
        seat.screen.say(f"{number}. {title}  · {_turns(session)}, {session.updated_at[:16]}{here}")
    if not seat.listed:
        seat.screen.say("There are no threads yet. Ask something.")


async def open_thread(seat: Seat, line: Line) -> None:
    if not seat.listed:
        await _list(seat)
    if line.number is None or not 0 < line.number <= len(seat.listed):
        seat.screen.say("Write /open N; /threads shows the numbers.", style="yellow")
        return
    session = seat.listed[line.number - 1]
    messages = await seat.core.sessions.messages(session.id, group=LOCAL_GROUP)
    seat.thread = from_messages(session.key, messages)
    await history(seat, line)


async def history(seat: Seat, line: Line) -> None:
    for number, said in enumerate(seat.thread.messages, start=1):
        seat.screen.message(number, "Footnote" if said.is_answer else "You", said.text)
    if not seat.thread.messages:
        seat.screen.say(wording.NO_HISTORY)


async def forget(seat: Seat, line: Line) -> None:
    session = await seat.core.sessions.find(seat.thread.key)
    is_gone = False
    if session is not None:
        await Places(seat.core.database).forget(session.key)
        is_gone = await seat.core.sessions.forget(session.id, group=LOCAL_GROUP)
    seat.thread, seat.listed = Thread(), []
    seat.screen.say(wording.FORGOTTEN if is_gone else wording.NOTHING_TO_FORGET)


async def _list(seat: Seat) -> None:
    sessions = await seat.core.sessions.list(group=LOCAL_GROUP)
    seat.listed = [each for each in sessions if (each.key.platform, each.key.channel) == (PLATFORM, CHANNEL)]


async def _title(seat: Seat, session: Session) -> str:
    messages = await seat.core.sessions.messages(session.id, group=LOCAL_GROUP)
    return messages[0].content if messages else "(nothing said yet)"


def _turns(session: Session) -> str:
    return "1 turn" if session.turn_count == 1 else f"{session.turn_count} turns"
