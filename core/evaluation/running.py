"""Runs the questions of a pack through the product, one after the other, and keeps each outcome."""

import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from time import perf_counter

from core.answering.citing import to_answer
from core.answering.extractive_writer import ExtractiveWriter, said_before, to_draft
from core.errors import ServiceError
from core.evaluation.outcome import Outcome, Quoted
from core.evaluation.pack import PackQuestion
from core.evaluation.timing import ModelClock
from core.model import Answer, Draft, Filters, Findings, FoundChunk, History, Question, Session, SessionKey, Task
from core.model.limits import MAX_QUESTION_CHARS
from core.ports import Writer
from core.retrieval.retriever import Retriever

RETRIEVED = 10
"""Passages that a results line lists; the answer itself draws on as many as a member's question does."""
ROUNDS = 2
MOST_IN_A_ROW = 5
"""So many failures one after the other are an outage, and no measurement."""

log = logging.getLogger(__name__)


class PackRun:
    """Asks the questions of one book."""

    def __init__(self, *, retriever: Retriever, writer: Writer, book: str, clock: ModelClock) -> None:
        self._retriever = retriever
        self._writer = writer
        self._book = book
        self._clock = clock

    @property
    def writer(self) -> str:
        return self._writer.model

    async def ask(self, question: PackQuestion) -> Outcome:
        """What the product finds and answers, in the conversation that the question belongs to.

        Raises:
            ServiceError: the writer did not do its part.
        """
        task = to_task(question, self._book)
        wide = replace(task, question=replace(task.question, top_k=RETRIEVED))
        self._clock.restart()
        started = perf_counter()
        findings = await self._retriever.find(wide)
        if isinstance(self._writer, ExtractiveWriter):
            draft = to_draft(findings.first(task.question.top_k), said=said_before(task))
        else:
            # A model searches for itself; what was found for the question alone is not its time.
            self._clock.restart()
            started = perf_counter()
            draft = await self._draft(task)
        seconds = perf_counter() - started
        outcome = to_outcome(question, findings, to_answer(draft, task, seconds=seconds))
        held_back = () if outcome.should_answer else tuple(_quotes(draft))
        return replace(outcome, held_back=held_back, model_ms=self._clock.milliseconds or None)

    async def run(self, questions: Sequence[PackQuestion]) -> AsyncIterator[Outcome]:
        """Ask each; what failed is asked once more at the end, and left out if it fails again.

        Raises:
            ServiceError: several questions in a row failed, so that the others would fail too.
        """
        left = list(questions)
        in_a_row = 0
        for _ in range(ROUNDS):
            asked, left = left, []
            for question in asked:
                try:
                    outcome = await self.ask(question)
                except ServiceError as error:
                    in_a_row += 1
                    if in_a_row >= MOST_IN_A_ROW:
                        raise
                    log.warning("question %s was not answered: %s", question.id, error.message)
                    left.append(question)
                else:
                    in_a_row = 0
                    yield outcome

    async def _draft(self, task: Task) -> Draft:
        async for event in self._writer.write(task):
            if isinstance(event, Draft):
                return event
        raise AssertionError("a writer always ends with a draft")


def to_task(question: PackQuestion, book: str) -> Task:
    """The question as a member would have asked it, in a conversation of its own."""
    session = Session(id="evaluation", key=SessionKey.private(), book=book, model="", created_at="", updated_at="")
    return Task(
        Question(question.text[:MAX_QUESTION_CHARS]),
        History(session, turns=question.history),
        Filters(books=(book,)),
    )


def to_outcome(question: PackQuestion, findings: Findings, answer: Answer) -> Outcome:
    return Outcome(
        id=question.id,
        retrieved=tuple(_retrieved(found) for found in findings.chunks),
        answer=answer.text,
        citations=tuple(Quoted(_file(c.chunk.source_file), c.quote) for c in answer.citations),
        confidence=answer.confidence.score,
        confidence_level=str(answer.confidence.level),
        should_answer=answer.confidence.should_answer,
        ms=answer.processing_time_ms,
        signals=findings.signals,
        writer=answer.model_used,
        tokens_used=answer.tokens_used,
        cost_usd=answer.cost_usd,
    )


def _retrieved(found: FoundChunk) -> Quoted:
    chunk = found.chunk
    return Quoted(_file(chunk.source_file), chunk.text, found.score, found.cosine, found.rerank)


def _quotes(draft: Draft) -> Iterable[Quoted]:
    for number, quote in draft.quotes.items():
        yield Quoted(_file(draft.chunks[number - 1].chunk.source_file), quote)


def read_outcomes(path: Path) -> Mapping[str, Outcome]:
    """The outcomes an earlier run left in *path*; a line it was killed at is left out."""
    found: dict[str, Outcome] = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                outcome = Outcome.from_line(line)
            except ValueError:
                continue
            found[outcome.id] = outcome
    return found


def _file(source_file: str) -> str:
    return str(PurePosixPath(source_file))
