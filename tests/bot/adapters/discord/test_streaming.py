"""What a member sees while an answer is on its way, and how it can be stopped."""

import asyncio
from collections.abc import AsyncIterator

from bot import wording
from bot.adapters.discord.pace import Pace
from bot.turn_work import TurnRules
from core.model import AnswerEvent, AskEvent, Question, Stage, StageEvent, TextEvent
from core.store.sessions import Sessions
from tests.bot.adapters.discord import stage as stages
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.test_commands import buttons
from tests.bot.group import RememberingAgent
from tests.bot.scripted import to_answer
from tests.fakes.discord.checks import text_of
from tests.fakes.discord.world import BOT_ID


class SlowAgent(RememberingAgent):
    """Writes word by word, one for each time it is let go on."""

    def __init__(self, sessions: Sessions) -> None:
        super().__init__(sessions)
        self.steps: asyncio.Queue[str | None] = asyncio.Queue()

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        self.asked.append(question)
        text = ""
        yield StageEvent(Stage.RETRIEVING)
        while (word := await self.steps.get()) is not None:
            text = f"{text} {word}".strip()
            yield TextEvent(text)
        yield AnswerEvent(to_answer(f"{text} [1]"))


async def slow_stage(staged: MakeStage) -> tuple[stages.Stage, SlowAgent]:
    stage = await staged()
    agent = SlowAgent(Sessions(stage.database, model="test"))
    stage.turns._agent = agent
    return stage, agent


async def test_answer_streams_in_by_edits_of_one_message(staged: MakeStage) -> None:
    stage, agent = await slow_stage(staged)
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], wording.STAGES[Stage.RETRIEVING])
        agent.steps.put_nowait("Nodes")
        growing = await stage.discord.until_said(asked["id"], "Nodes ▌")
        assert "Stop" in buttons(growing)
        agent.steps.put_nowait("talk.")
        agent.steps.put_nowait(None)
        final = await stage.discord.until_said(asked["id"], "Nodes talk.")

    assert final["id"] == growing["id"]
    assert len(stage.discord.said(asked["id"])) == 1


async def test_many_steps_in_a_moment_cost_few_edits(staged: MakeStage) -> None:
    stage, agent = await slow_stage(staged)
    async with stage.bot():
        asked = await stage.ask()
        for number in range(200):
            agent.steps.put_nowait(f"w{number}")
        agent.steps.put_nowait(None)
        final = await stage.discord.until_said(asked["id"], "w199 [")

    assert len(stage.discord.messages.edits.get(final["id"], [])) <= 2


async def test_where_requests_are_short_an_answer_costs_one_and_progress_none(staged: MakeStage) -> None:
    stage, agent = await slow_stage(staged)
    stage.pace = Pace(clock=lambda: 0.0)
    async with stage.bot():
        while stage.pace.has_plenty():
            await stage.pace.take()
        asked = await stage.ask()
        for word in ("Nodes", "talk."):
            agent.steps.put_nowait(word)
        agent.steps.put_nowait(None)
        final = await stage.discord.until_said(asked["id"], "Nodes talk. [")

    assert stage.discord.messages.typed == []
    assert stage.discord.messages.edits.get(final["id"]) is None


async def test_quick_answer_is_posted_at_once_without_a_placeholder(stage: stages.Stage) -> None:
    asked = await stage.ask()
    answer = await stage.discord.until_said(asked["id"], "You asked")

    assert stage.discord.messages.edits.get(answer["id"]) is None
    assert stage.discord.messages.typed


async def test_stop_button_breaks_off_and_only_the_asker_or_a_leader_may_press_it(staged: MakeStage) -> None:
    stage, _ = await slow_stage(staged)
    async with stage.bot():
        asked = await stage.ask()
        waiting = await stage.discord.until_said(asked["id"], wording.STAGES[Stage.RETRIEVING])
        stop = buttons(waiting)["Stop"]

        other = await stage.discord.people.press(stage.bob, waiting, stop)
        await stage.discord.until_answered(other, "Only whoever asked")
        await stage.discord.people.press(stage.ann, waiting, stop)
        stopped = await stage.discord.until_said(asked["id"], wording.STOPPED)

        late = await stage.discord.people.press(stage.ann, stopped, stop)
        await stage.discord.until_answered(late, "nothing to stop")
    assert stopped["id"] == waiting["id"]


async def test_waiting_member_sees_the_place_in_the_queue(staged: MakeStage) -> None:
    rules = TurnRules(at_once=1, join_seconds=0.05, places_every_seconds=0.01)
    stage = await staged(is_gated=True, rules=rules)
    async with stage.bot():
        first = await stage.ask("first")
        await stage.agent.started.get()
        await stage.ask("second", by=stage.bob)
        third = await stage.ask("third", by=stage.lea)
        await stage.discord.until_said(third["id"], "One question is before yours.")
        stage.agent.release(3)
        for asked, words in ((first, "first"), (third, "third")):
            await stage.discord.until_said(asked["id"], f"You asked: {words}")

    assert text_of(stage.discord.said(third["id"])[0]).startswith("You asked: third")
    assert all(each["author"]["id"] == BOT_ID for each in stage.discord.said(third["id"]))
