"""A model that says it is done: what it wrote is whole, or the book is quoted instead."""

from dataclasses import replace

import pytest

from core.answering.citing import to_answer
from core.answering.model import ModelWriter
from core.answering.steady_writer import SteadyWriter
from core.model import Filters, Findings, FoundSentence, TextEvent
from tests.core.answering.model.drafting import written
from tests.core.answering.passages import WordFinder, to_task
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Step, searching

ANSWER = "The default depth is 10 [1]."
SENTENCE = "The default depth is 10."


class QuotingFinder(WordFinder):
    """Finds the sentence that answers, too."""

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        findings = await super().search(query, scope, limit=limit)
        starts = [(found.chunk, found.chunk.text.find(SENTENCE)) for found in findings.chunks]
        sentences = [FoundSentence(chunk.id, at, at + len(SENTENCE), 5.0) for chunk, at in starts if at >= 0]
        return replace(findings, sentences=tuple(sentences))


@pytest.fixture
def finder() -> WordFinder:
    return QuotingFinder()


@pytest.mark.parametrize(
    ("step", "note"),
    [
        pytest.param(Step(text=f"{ANSWER} And the largest depth"), "broke off", id="half a sentence"),
        pytest.param(Step(text="The default depth is"), "broke off", id="nothing but half a sentence"),
        pytest.param(Step(text="The default depth is 10 [1"), "broke off", id="half a mark"),
        pytest.param(Step(text=f"{ANSWER}\n\n```bash\nros2 topic in"), "broke off", id="half a code block"),
        pytest.param(Step(text=f"{ANSWER}\n\n- with best effort,"), "broke off", id="half a list"),
        pytest.param(Step(text=""), "could not be read", id="nothing"),
        pytest.param(Step(finish="tool_calls"), "could not be read", id="a search that never comes"),
        pytest.param(
            Step(text="Let me look that up.", finish="tool_calls"), "broke off", id="a search announced in words"
        ),
    ],
)
async def test_a_model_that_says_it_is_done_and_is_not_gives_way_to_the_books_own_words(
    writer: ModelWriter, server: LLMServer, step: Step, note: str
) -> None:
    server.say(searching("default depth of a reliable sensor subscriber"), step)
    task = to_task()

    draft, told = await written(SteadyWriter(first=writer, fallback=writer), task)
    answer = to_answer(draft, task, seconds=0.0)

    shown = [event.text for event in told if isinstance(event, TextEvent)]
    assert set(shown) <= {ANSWER}, "half a sentence is not shown on the way either"
    assert note in draft.notes[0]
    assert answer.text == f"{SENTENCE} [1]"
    assert [citation.quote for citation in answer.citations] == [SENTENCE]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The default depth is 10 [1]", id="a mark and no stop"),
        pytest.param("- The default depth is 10 [1]\n- A large depth makes data older [1]", id="a list"),
        pytest.param(f"{ANSWER}\n\n```bash\nros2 topic info /scan --verbose\n```", id="code at the end"),
        pytest.param("**The default depth is 10** [1]", id="bold"),
    ],
)
async def test_an_answer_that_ends_without_a_stop_can_be_whole(
    writer: ModelWriter, server: LLMServer, text: str
) -> None:
    server.say(searching("default depth"), Step(text=text))

    draft, _ = await written(writer, to_task())

    assert "default depth is 10" in draft.text
