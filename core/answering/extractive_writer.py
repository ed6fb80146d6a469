"""The writer that needs no model: it quotes the best few sentences of the books."""

from collections.abc import AsyncIterator, Sequence

from core.answering.selecting import Quote, joined, select
from core.answering.showing import shown_block, shown_sentence
from core.model import Draft, Findings, Stage, StageEvent, Task, TextEvent
from core.retrieval.leaning import leans
from core.retrieval.retriever import Retriever

MODEL = "extractive"


class ExtractiveWriter:
    """Answers in the book's own words, each sentence with its mark."""

    def __init__(self, *, retriever: Retriever) -> None:
        self._retriever = retriever

    @property
    def model(self) -> str:
        return MODEL

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Draft]:
        yield StageEvent(Stage.RETRIEVING)
        findings = await self._retriever.find(task)
        yield StageEvent(Stage.GENERATING)
        yield to_draft(findings, said=said_before(task))


def said_before(task: Task) -> str:
    """The last answer, where the question goes on from it: "why?" wants more, not the same again."""
    turns = task.history.turns
    return turns[-1].answer if turns and leans(task.question.text) else ""


def to_draft(findings: Findings, *, said: str = "") -> Draft:
    """The best passages as they stand, in reading order; without words where nothing was found."""
    quotes = joined(select(findings, said=said))
    # Each quote has a chunk of its own in the draft, even where two quotes share one: a mark leads to a quote.
    cited = [quote.found for quote in quotes]
    others = [found for found in findings.chunks if found not in cited]
    return Draft(
        text=_text(quotes),
        chunks=(*cited, *others),
        answerability=findings.answerability,
        model=MODEL,
        quotes={number: quote.text for number, quote in enumerate(quotes, 1)},
        retrievals=(findings.to_retrieval(),),
        is_everything=findings.is_everything,
    )


def _text(quotes: Sequence[Quote]) -> str:
    """Quotes as paragraphs; sentences of one chunk stand together."""
    parts: list[str] = []
    last: Quote | None = None
    for number, quote in enumerate(quotes, 1):
        shown = _marked_block(quote.text, number) if quote.sentence.is_block else _marked(quote.text, number)
        parts.append(f" {shown}" if last and _is_one_paragraph(last, quote) else f"\n\n{shown}")
        last = quote
    return "".join(parts).strip()


def _is_one_paragraph(one: Quote, other: Quote) -> bool:
    has_block = one.sentence.is_block or other.sentence.is_block
    return not has_block and one.found.chunk.id == other.found.chunk.id


def _marked(quote: str, number: int) -> str:
    return f"{shown_sentence(quote)} [{number}]"


def _marked_block(quote: str, number: int) -> str:
    """A block with its mark on the line that leads to it, or below it: nothing may stand inside."""
    lead, _, rest = shown_block(quote).partition("\n")
    if lead.endswith(":") and rest:
        return f"{lead} [{number}]\n\n{rest.lstrip(chr(10))}"
    block = f"{lead}\n{rest}" if rest else lead
    return f"{block}\n\n[{number}]"
