"""From a question to the chunks that answer it, best first."""

from collections.abc import Sequence
from dataclasses import replace

from core.model import Filters, Findings, FoundChunk, FoundSentence, Task
from core.ports import Embedder, Index, Reranker
from core.retrieval.calibration import Calibration, load_calibration
from core.retrieval.candidates import Candidate, Candidates, Pool
from core.retrieval.followups import to_query
from core.retrieval.leaning import leans
from core.retrieval.model_check import ModelCheck
from core.retrieval.ordering import best_of_chunks, ordered
from core.retrieval.places import named_place, narrowed
from core.retrieval.query import Queries, Query
from core.retrieval.reading import Reading, ReadPassage
from core.retrieval.selections import about_selection, is_taken_from
from core.retrieval.signals import signals
from core.retrieval.vocabulary import PATIENCE_SECONDS, Vocabularies
from core.retrieval.words import Words
from core.store.library import Library

MOST_CITED = 3


class Retriever:
    """Finds chunks for the writers, for the model's tool and for /search: the same way for all."""

    def __init__(
        self,
        *,
        index: Index,
        library: Library,
        embedder: Embedder,
        reranker: Reranker | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        words = Words()
        self._library = library
        self._queries = Queries(words)
        self._candidates = Candidates(index=index, library=library, embedder=embedder)
        self._reading = Reading(words=words, reranker=reranker)
        self._vocabularies = Vocabularies(library=library, patience_seconds=patience_seconds)
        self._model_check = ModelCheck(library=library, embedder=embedder)
        self._words = words
        self._calibration = load_calibration(
            embedder=embedder.model, reranker=reranker.model if reranker else None
        )

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
        found = await self._search(query, task.scope, limit=task.question.top_k, also=also)
        return found.above(task.question.similarity_threshold)

    async def _search(self, query: Query, scope: Filters, *, limit: int, also: Sequence[str] = ()) -> Findings:
        await self._model_check.check(scope.books)
        vocabulary = await self._vocabularies.of(scope.books)
        query = self._queries.hinted(query, vocabulary)
        pool = await self._candidates.find(query, scope, also=also)
        if not pool.candidates:
            return Findings(query=query.text, filters=scope)
        read = await self._reading.read(query, pool.candidates, vocabulary)
        seen = signals(query, pool.candidates, read, vocabulary=vocabulary, words=self._words) if read else {}
        findings = _to_findings(query.text, pool, read, self._calibration, limit=limit)
        chance = self._calibration.answerability(seen) if seen else 0.0
        return replace(findings, filters=scope, signals=seen, answerability=chance)

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


def _to_findings(
    query: str, pool: Pool, read: Sequence[ReadPassage], calibration: Calibration, *, limit: int
) -> Findings:
    best = best_of_chunks(read)
    kept = ordered(pool.candidates, read, limit=limit)
    ids = {candidate.chunk.id for candidate in kept}
    # The order rests on more than a chunk's own signals; its score is told so that it falls with the order.
    relevances = sorted((calibration.relevance(each, best.get(each.chunk.id)) for each in kept), reverse=True)
    return Findings(
        query=query,
        chunks=tuple(
            _found(candidate, best.get(candidate.chunk.id), score)
            for candidate, score in zip(kept, relevances, strict=True)
        ),
        total_found=pool.total,
        is_everything=pool.is_everything and len(kept) == pool.total,
        sentences=tuple(_sentence(each) for each in read if each.chunk.id in ids),
    )


def _sentence(read: ReadPassage) -> FoundSentence:
    return FoundSentence(
        read.chunk.id, read.passage.start, read.passage.end, read.merit, is_block=read.passage.is_block
    )


def _found(candidate: Candidate, read: ReadPassage | None, score: float) -> FoundChunk:
    return FoundChunk(
        chunk=candidate.chunk,
        score=score,
        cosine=candidate.cosine,
        bm25=candidate.bm25,
        best_sentence=read.text if read else None,
        rerank=read.rerank if read else None,
    )
