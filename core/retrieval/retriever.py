"""From a question to the chunks that answer it, best first."""

from collections.abc import Sequence

from core.model import Filters, Findings, FoundChunk, FoundSentence, Task
from core.ports import Embedder, Index, Reranker
from core.retrieval.answerability import answerability, relevance
from core.retrieval.candidates import Candidate, Candidates, Pool
from core.retrieval.followups import to_query
from core.retrieval.query import Query, plain_query
from core.retrieval.reading import Reading, ReadPassage
from core.retrieval.vocabulary import Vocabularies
from core.retrieval.words import Words
from core.store.library import Library

READING_WEIGHT = 0.5
"""How much a point of the reranker's score counts against one deviation of the candidates' scores."""
UNREAD_PENALTY = 0.5
"""A chunk that was not read stands a little below the worst that was."""


class Retriever:
    """Finds chunks for the writers, for the model's tool and for /search: the same way for all."""

    def __init__(
        self, *, index: Index, library: Library, embedder: Embedder, reranker: Reranker | None = None
    ) -> None:
        self._words = words = Words()
        self._candidates = Candidates(index=index, library=library, embedder=embedder)
        self._reading = Reading(words=words, reranker=reranker)
        self._vocabularies = Vocabularies(library=library)

    async def find(self, task: Task) -> Findings:
        """What the books hold for a member's question, as it is meant in its conversation."""
        query = to_query(task.question, task.history, self._words)
        return await self._search(query, task.scope, limit=task.question.top_k)

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        """What the books hold for a query, best first, each text once.

        *scope* must name at least one book.
        """
        return await self._search(plain_query(query, self._words), scope, limit=limit)

    async def _search(self, query: Query, scope: Filters, *, limit: int) -> Findings:
        pool = await self._candidates.find(query, scope)
        if not pool.candidates:
            return Findings(query=query.text, filters=scope)
        vocabulary = await self._vocabularies.of(scope.books)
        read = await self._reading.read(query, pool.candidates, vocabulary)
        return _to_findings(query.text, scope, pool, read, limit)


def _to_findings(query: str, scope: Filters, pool: Pool, read: Sequence[ReadPassage], limit: int) -> Findings:
    best = _best_of_chunks(read)
    ordered = _ordered(pool.candidates, best)[:limit]
    kept = {candidate.chunk.id for candidate in ordered}
    return Findings(
        query=query,
        chunks=tuple(_found(candidate, best.get(candidate.chunk.id)) for candidate in ordered),
        total_found=pool.total,
        filters=scope,
        answerability=answerability(read),
        sentences=tuple(
            FoundSentence(
                each.chunk.id, each.passage.start, each.passage.end, each.merit, is_block=each.passage.is_block
            )
            for each in read
            if each.chunk.id in kept
        ),
    )


def _best_of_chunks(read: Sequence[ReadPassage]) -> dict[str, ReadPassage]:
    best: dict[str, ReadPassage] = {}
    for each in read:
        best.setdefault(each.chunk.id, each)
    return best


def _ordered(candidates: Sequence[Candidate], best: dict[str, ReadPassage]) -> list[Candidate]:
    """Candidates by both signals: how they were found, and how well their best passage answers."""
    worst = min((each.merit for each in best.values()), default=0.0) - UNREAD_PENALTY

    def total(candidate: Candidate) -> float:
        read = best.get(candidate.chunk.id)
        return candidate.fused + READING_WEIGHT * (read.merit if read else worst)

    return sorted(candidates, key=total, reverse=True)


def _found(candidate: Candidate, read: ReadPassage | None) -> FoundChunk:
    return FoundChunk(
        chunk=candidate.chunk,
        score=relevance(candidate, read),
        cosine=candidate.cosine,
        bm25=candidate.bm25,
        best_sentence=read.text if read else None,
        rerank=read.rerank if read else None,
    )
