"""Asking in a thread, and replying to a message in it."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from bot import wording
from bot.cli.chat.lines import Line
from bot.cli.chat.seat import Seat
from bot.cli.chat.thread import Said, Thread
from bot.reply import Reply
from bot.spoken import Wish, to_spoken
from core.model import Answer, AnswerEvent, Question, Selection

CHAT_WISHES = {Wish.GREETING: wording.CHAT_HELLO, Wish.THANKS: wording.WELCOME, Wish.NOTHING: ""}
"""What plain words get here. For the rest the chat has commands."""


async def ask(seat: Seat, line: Line) -> None:
    spoken = to_spoken(line.rest)
    if spoken is None or spoken.wish not in CHAT_WISHES:
        await _ask(seat, seat.question(line.rest))
    elif told := CHAT_WISHES[spoken.wish]:
        seat.screen.say(told)


async def reply(seat: Seat, line: Line) -> None:
    said = seat.thread.find(line.number)
    if said is None or not line.after_number:
        seat.screen.say("Write /reply N question; N is the number before a message.", style="yellow")
        return
    selection = Selection.OWN_ANSWER if said.is_answer else Selection.MESSAGE
    await _ask(seat, replace(seat.question(line.after_number), selected_text=said.text, selection=selection))


async def new(seat: Seat, line: Line) -> None:
    seat.thread = Thread()
    seat.screen.say("A new thread.", style="dim")
    if line.rest:
        await ask(seat, line)


async def _ask(seat: Seat, question: Question) -> None:
    seat.thread.add(Said(False, question.text))
    answer = await _answer(seat, question)
    if answer is None:
        seat.screen.say(wording.STOPPED, style="yellow")
        return
    shown = Reply.from_answer(answer)
    sources = tuple((footnote.number, footnote.chunk_id) for footnote in shown.footnotes)
    seat.screen.reply(seat.thread.add(Said(True, shown.text, sources)), shown)


async def _answer(seat: Seat, question: Question) -> Answer | None:
    """The answer; None if the person broke it off."""
    task = asyncio.create_task(_watched(seat, question))
    with _broken_off_by_ctrl_c(task):
        await asyncio.wait({task})
    return None if task.cancelled() else task.result()


async def _watched(seat: Seat, question: Question) -> Answer:
    with seat.screen.watching() as watch:
        async for event in seat.core.agent.ask(question):
            watch(event)
            if isinstance(event, AnswerEvent):
                return event.answer
    raise AssertionError("asking always ends with an answer")


@contextmanager
def _broken_off_by_ctrl_c(task: asyncio.Task[Answer]) -> Iterator[None]:
    """Ctrl-C stops the answer and not the chat. Where signals cannot be caught it leaves, as everywhere else."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(signal.SIGINT, task.cancel)
    except (NotImplementedError, RuntimeError):
        # Windows, or not the main thread.
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
