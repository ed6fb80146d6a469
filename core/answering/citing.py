"""A draft becomes an answer whose marks all lead to a real chunk."""

from dataclasses import replace

from core.answering.confidence import judge
from core.answering.marks import marks, renumbered
from core.answering.refusing import nearest_sections, refusal_text
from core.model import Answer, Citation, Confidence, ConfidenceLevel, Draft, FoundChunk, Task
from core.retrieval.likeness import word_set
from core.text.sentences import sentences


def to_answer(draft: Draft, task: Task, *, seconds: float) -> Answer:
    """The finished answer: cited where the draft is supported, a refusal where nothing is left of it.

    Marks are renumbered in reading order, so members see [1], [2], [3] even when the writer used
    chunks 4, 1 and 7. Marks that lead nowhere are dropped rather than shown.
    """
    confidence = judge(draft, top_k=task.question.top_k)
    numbers = _reading_order(draft)
    if not numbers or not confidence.should_answer:
        return _refusal(draft, task, confidence, seconds=seconds)
    return Answer(
        text=renumbered(draft.text, numbers.get).strip(),
        citations=tuple(_citation(draft, old, new) for old, new in numbers.items()),
        confidence=confidence,
        session_id=task.history.session.id,
        notes=draft.notes,
        model_used=draft.model,
        retrieval_count=confidence.chunk_count,
        tokens_used=draft.tokens_used,
        cost_usd=draft.cost_usd,
        processing_time_ms=seconds * 1000,
    )


def _reading_order(draft: Draft) -> dict[int, int]:
    """The draft's number → the number members see, for each mark that leads to a chunk."""
    numbers: dict[int, int] = {}
    for mark in marks(draft.text):
        if 1 <= mark.number <= len(draft.chunks):
            numbers.setdefault(mark.number, len(numbers) + 1)
    return numbers


def _citation(draft: Draft, old: int, new: int) -> Citation:
    found = draft.chunks[old - 1]
    quote = draft.quotes.get(old, "")
    if not quote or quote not in found.chunk.text:
        quote = _supporting_quote(found, _marked_sentence(draft.text, old))
    return Citation(number=new, chunk=found.chunk, quote=quote, relevance=found.score)


def _marked_sentence(text: str, number: int) -> str:
    """The first sentence that carries the mark."""
    position = next(mark.start for mark in marks(text) if mark.number == number)
    for span in sentences(text):
        if span.end >= position:
            return span.of(text)
    return text


def _supporting_quote(found: FoundChunk, sentence: str) -> str:
    """The words of the chunk closest to a sentence that rests on it, exactly as they stand there."""
    wanted = word_set(sentence)
    text = found.chunk.text
    spans = sentences(text)
    best = max(spans, key=lambda span: len(wanted & word_set(span.of(text))), default=None)
    return best.of(text) if best else text.strip()


def _refusal(draft: Draft, task: Task, confidence: Confidence, *, seconds: float) -> Answer:
    return Answer(
        text=refusal_text(draft, task),
        citations=(),
        confidence=replace(confidence, level=ConfidenceLevel.INSUFFICIENT),
        session_id=task.history.session.id,
        nearest=nearest_sections(draft),
        notes=draft.notes,
        model_used=draft.model,
        retrieval_count=confidence.chunk_count,
        tokens_used=draft.tokens_used,
        cost_usd=draft.cost_usd,
        processing_time_ms=seconds * 1000,
    )
