"""When the model fails, members still get an answer, soon, and are told why it is in the book's words."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from core.answering.noting import note_about
from core.answering.steady_writer import SteadyWriter
from core.answering.timely_writer import TimelyWriter
from core.errors import ServiceBusy, ServiceDown, ServiceError, ServiceTimeout
from core.model import Draft, Findings, FoundSentence, Question, Stage, StageEvent, Task, TextEvent
from core.providers.trouble import service_down
from tests.core.answering.making import make_found
from tests.core.answering.passages import to_task


class ScriptedWriter:
    """Gives drafts or raises errors in order."""

    def __init__(self, name: str, *steps: str | Exception | Findings) -> None:
        self.model = name
        self.steps = list(steps)
        self.was_closed = asyncio.Event()

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Findings | Draft]:
        try:
            yield StageEvent(Stage.GENERATING)
            step = self.steps.pop(0)
            if isinstance(step, Findings):
                yield step
                step = self.steps.pop(0)
            assert not isinstance(step, Findings)
            if isinstance(step, Exception):
                raise step
            if step == "stall":
                await asyncio.Event().wait()
            yield Draft(step, (), 0.9, self.model)
        finally:
            self.was_closed.set()


def steady(first: ScriptedWriter, *, seconds: float = 5) -> SteadyWriter:
    timely = TimelyWriter(first, seconds=seconds)
    return SteadyWriter(first=timely, fallback=ScriptedWriter("extractive", *["quoted"] * 3))


async def draft_of(writer: SteadyWriter, task: Task | None = None) -> Draft:
    events = [event async for event in writer.write(task or to_task())]
    assert isinstance(events[-1], Draft)
    return events[-1]


async def test_a_model_that_works_is_left_alone() -> None:
    draft = await draft_of(steady(ScriptedWriter("model", "said")))

    assert (draft.text, draft.notes) == ("said", ())


@pytest.mark.parametrize(
    ("error", "words"),
    [
        pytest.param(ServiceBusy("openai", "x"), "busy", id="busy"),
        pytest.param(ServiceTimeout("openai", "x"), "too long", id="timeout"),
        pytest.param(ServiceDown("openai", "x"), "cannot be reached", id="down"),
        pytest.param(service_down("openai", "quota", "x"), "no quota", id="quota"),
        pytest.param(service_down("openai", "key", "x"), "our key", id="key"),
        pytest.param(service_down("openai", "broke_off", "x"), "broke off", id="broke-off"),
        pytest.param(service_down("openai", "withheld", "x"), "withheld", id="withheld"),
        pytest.param(service_down("openai", "nonsense", "x"), "could not be read", id="nonsense"),
    ],
)
async def test_each_failure_has_its_own_sentence_and_the_book_is_quoted(error: ServiceError, words: str) -> None:
    draft = await draft_of(steady(ScriptedWriter("model", error)))

    assert (draft.text, draft.model) == ("quoted", "extractive")
    assert words in draft.notes[0]


def test_every_kind_of_service_error_has_a_sentence() -> None:
    def tree(kind: type[ServiceError]) -> list[type[ServiceError]]:
        return [kind, *(below for child in kind.__subclasses__() for below in tree(child))]

    assert all(note_about(kind("openai", "x")).endswith(".") for kind in tree(ServiceError))


async def test_one_deadline_holds_for_the_whole_answer() -> None:
    stalling = ScriptedWriter("model", "stall")

    draft = await asyncio.wait_for(draft_of(steady(stalling, seconds=0.05)), 60)

    assert draft.text == "quoted"
    assert "too long" in draft.notes[0]
    assert stalling.was_closed.is_set()


async def test_the_deadline_does_not_interrupt_who_shows_the_answer() -> None:
    writer = steady(ScriptedWriter("model", "said"), seconds=0.05)
    events = []

    async for event in writer.write(to_task()):
        await asyncio.sleep(0.06)
        events.append(event)

    assert isinstance(events[-1], Draft)


async def test_what_the_model_had_found_is_quoted_when_it_breaks_off() -> None:
    (found,) = make_found(["A node does one job. It has a name."])
    sentence = FoundSentence(found.chunk.id, 0, 20, 5.0)
    findings = Findings("what does a node do", (found,), sentences=(sentence,), answerability=0.9)
    breaks_off = ScriptedWriter("model", findings, service_down("openai", "broke_off", "x"))

    draft = await draft_of(steady(breaks_off))

    assert draft.text == "A node does one job. [1]"
    assert [retrieval.query for retrieval in draft.retrievals] == ["what does a node do"], (
        "nothing is searched anew"
    )
    assert (draft.model, len(draft.notes)) == ("extractive", 1)


async def test_a_spent_budget_quotes_the_book_without_asking_the_model() -> None:
    never_asked = ScriptedWriter("model")

    draft = await draft_of(steady(never_asked), to_task(question=Question("Why?", may_use_model=False)))

    assert draft.text == "quoted"
    assert "budget" in draft.notes[0]


async def test_after_a_hopeless_failure_the_next_member_does_not_wait() -> None:
    asked_once = ScriptedWriter("model", service_down("openai", "quota", "x"))
    writer = steady(asked_once)
    await draft_of(writer)

    draft = await draft_of(writer)

    assert "no quota" in draft.notes[0]
    assert not asked_once.steps


async def test_after_a_passing_failure_the_model_is_asked_again() -> None:
    writer = steady(ScriptedWriter("model", ServiceDown("openai", "x"), "said"))
    await draft_of(writer)

    assert (await draft_of(writer)).text == "said"


async def test_after_two_failures_in_a_row_the_third_member_does_not_wait() -> None:
    asked_twice = ScriptedWriter("model", ServiceDown("openai", "x"), ServiceTimeout("openai", "x"))
    writer = steady(asked_twice)
    await draft_of(writer)
    await draft_of(writer)

    draft = await draft_of(writer)

    assert draft.text == "quoted"
    assert "too long" in draft.notes[0]


async def test_failures_with_an_answer_between_them_are_no_outage() -> None:
    down = ServiceDown("openai", "x")
    writer = steady(ScriptedWriter("model", down, "said", down, "said again"))
    for _ in range(3):
        await draft_of(writer)

    assert (await draft_of(writer)).text == "said again"


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        pytest.param(ServiceBusy("openai", "x", retry_after=20), 20, id="as long as the server asks"),
        pytest.param(ServiceBusy("openai", "x", retry_after=9999), 120, id="two minutes at most"),
        pytest.param(service_down("openai", "quota", "x"), 300, id="five minutes without quota"),
    ],
)
async def test_a_model_that_rests_is_asked_again_in_time(error: ServiceError, seconds: float) -> None:
    now = [1000.0]
    first, fallback = ScriptedWriter("model", error, "said"), ScriptedWriter("extractive", "quoted", "quoted")
    writer = SteadyWriter(first=first, fallback=fallback, clock=lambda: now[0])
    await draft_of(writer)

    now[0] += seconds - 0.1
    early = await draft_of(writer)
    now[0] += 0.1

    assert (early.text, (await draft_of(writer)).text) == ("quoted", "said")


async def test_our_own_mistakes_are_not_covered_up() -> None:
    with pytest.raises(KeyError):
        await draft_of(steady(ScriptedWriter("model", KeyError("bug"))))
