"""From a question to the chunks that answer it, best first."""

from collections.abc import Sequence
from dataclasses import replace

from core.model import Filters, Findings, FoundChunk, FoundSentence, Task
from core.ports import Embedder, Index, Reranker
from core.retrieval.answerability import answerability, relevance
from core.retrieval.candidates import Candidate, Candidates, Pool
from core.retrieval.followups import leans, to_query
from core.retrieval.places import named_place, narrowed
from core.retrieval.query import Queries, Query
from core.retrieval.reading import Reading, ReadPassage
from core.retrieval.selections import about_selection, is_taken_from
from core.retrieval.vocabulary import Vocabularies
from core.retrieval.words import Words
from core.store.library import Library

READING_WEIGHT = 2.5
"""How much it counts that a chunk's best passage answers, against one deviation of the candidates' scores."""
MOST_CITED = 3


class Retriever:
    """Finds chunks for the writers, for the model's tool and for /search: the same way for all."""

    def __init__(
        self, *, index: Index, library: Library, embedder: Embedder, reranker: Reranker | None = None
    ) -> None:
        words = Words()
        self._library = library
        self._queries = Queries(words)
        self._candidates = Candidates(index=index, library=library, embedder=embedder)
        self._reading = Reading(words=words, reranker=reranker)
        self._vocabularies = Vocabularies(library=library)

    async def find(self, task: Task) -> Findings:
        """What the books hold for a member's question, as it is meant in its conversation.

        A place that the question names narrows the search, unless nothing is there.
        """
        place = named_place(task.question.text)
        if place is not None and len(place.question) > 2:
            scope = await narrowed(task.scope, place, self._library)
            asked = replace(task.question, text=place.question)
            found = await self._find(replace(task, question=asked, scope=scope)) if scope else None
            if found and found.chunks:
                return found
        return await self._find(task)

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        """What the books hold for a query, best first, each text once.

        *scope* must name at least one book.
        """
        return await self._search(self._queries.plain(query), scope, limit=limit)

    async def _find(self, task: Task) -> Findings:
        if task.question.selected_text:
            query = about_selection(task.question, self._queries)
            also = await self._taken_from(task.question.selected_text, task.scope)
        else:
            query = to_query(task.question, task.history, self._queries)
            also = await self._just_cited(task)
        return await self._search(query, task.scope, limit=task.question.top_k, also=also)

    async def _search(self, query: Query, scope: Filters, *, limit: int, also: Sequence[str] = ()) -> Findings:
        vocabulary = await self._vocabularies.of(scope.books)
        pool = await self._candidates.find(self._queries.hinted(query, vocabulary), scope, also=also)
        if not pool.candidates:
            return Findings(query=query.text, filters=scope)
        read = await self._reading.read(query, pool.candidates, vocabulary)
        return _to_findings(query.text, scope, pool, read, limit)

    async def _taken_from(self, selected: str, scope: Filters) -> list[str]:
        """The chunk that a selected text was copied from, with its neighbours."""
        pool = await self._candidates.find(self._queries.plain(selected), scope)
        own = next((each.chunk for each in pool.candidates[:5] if is_taken_from(selected, each.chunk)), None)
        return [chunk.id for chunk in await self._library.neighbours(own.id)] if own else []

    async def _just_cited(self, task: Task) -> list[str]:
        """What the last answer rests on, with its neighbours, where the question leans on it."""
        if (
            not task.history.turns
            or task.scope != Filters(books=task.scope.books)
            or not leans(task.question.text)
        ):
            return []
        cited = task.history.turns[-1].cited_chunk_ids[:MOST_CITED]
        around = [await self._library.neighbours(chunk_id) for chunk_id in cited]
        return list(dict.fromkeys(chunk.id for chunks in around for chunk in chunks))


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
    worst = min((each.promise for each in best.values()), default=0.0)

    def total(candidate: Candidate) -> float:
        read = best.get(candidate.chunk.id)
        return candidate.fused + READING_WEIGHT * (read.promise if read else worst)

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
