"""Our values in the terms of Qdrant's embedded engine."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import qdrant_edge as qdrant

from core.errors import ServiceDown
from core.model import SparseVector
from core.ports import IndexEntry
from core.retrieval.index.payload import (
    INTEGERS,
    KEYWORDS,
    TENANT,
    WORDS,
    Condition,
    Test,
    to_numbers,
    to_payload,
)
from core.retrieval.index.places import PLACE, place_key

MOST_REASON_CHARS = 200


def shard_config() -> qdrant.EdgeConfig:
    """Words from the start; the spaces of models are added when they are asked for."""
    words = qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf)
    return qdrant.EdgeConfig(sparse_vectors={WORDS: words})


def field_indexes() -> dict[str, qdrant.KeywordIndexParams | qdrant.IntegerIndexParams]:
    """An index for every field a filter can name; without one a filter is checked point by point."""
    return {
        TENANT: qdrant.KeywordIndexParams(is_tenant=True),
        PLACE: qdrant.KeywordIndexParams(enable_hnsw=False),
        **{field: qdrant.KeywordIndexParams(enable_hnsw=False) for field in KEYWORDS},
        **{field: qdrant.IntegerIndexParams(lookup=True, range=True, enable_hnsw=False) for field in INTEGERS},
    }


def to_point(entry: IndexEntry, space: str) -> qdrant.Point:
    payload = {**to_payload(entry), PLACE: place_key(entry.place)}
    words = to_sparse(entry.terms)
    if entry.embedding is None:
        return qdrant.Point(entry.chunk_id, {WORDS: words}, payload)
    return qdrant.Point(entry.chunk_id, {WORDS: words, space: to_numbers(entry.embedding)}, payload)


def to_sparse(terms: SparseVector) -> qdrant.SparseVector:
    return qdrant.SparseVector(list(terms.indices), list(terms.values))


def to_filter(conditions: Sequence[Condition]) -> qdrant.Filter | None:
    if not conditions:
        return None
    return qdrant.Filter(must=[_to_condition(condition) for condition in conditions])


def only(chunk_ids: Sequence[str]) -> qdrant.Filter:
    """A filter that lets these chunks through and no others."""
    return qdrant.Filter(must=[qdrant.HasIdCondition(set(chunk_ids))])


def words_request(
    query: SparseVector, wanted: qdrant.Filter | None, corpus: Sequence[Condition], limit: int
) -> qdrant.QueryRequest:
    """A search by words, their rarity counted in *corpus*."""
    return qdrant.QueryRequest(
        limit=limit,
        query=qdrant.Query.Nearest(to_sparse(query), using=WORDS),
        filter=wanted,
        # Never left out, even where it names every book: without it the engine counts deleted entries too.
        params=qdrant.SearchParams(idf=qdrant.IdfParams(corpus=_one_by_one(corpus))),
    )


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Let no exception of the engine out: it raises plain ones, and a panic is not even an Exception."""
    try:
        yield
    except BaseException as error:
        if not _is_of_engine(error):
            raise
        reason = f"the index in {folder} cannot be used ({str(error)[:MOST_REASON_CHARS]})"
        raise ServiceDown("index", f"{reason}. If this stays so, rebuild it: footnote reindex") from error


def _is_of_engine(error: BaseException) -> bool:
    return type(error) is Exception or type(error).__name__ == "PanicException"


def _one_by_one(corpus: Sequence[Condition]) -> qdrant.Filter:
    """Whatever fulfils one of the values: words are counted in it faster than if one condition named them all."""
    return qdrant.Filter(
        should=[
            qdrant.FieldCondition(key=condition.field, match=qdrant.MatchValue(value=value))
            for condition in corpus
            for value in (condition.value if isinstance(condition.value, tuple) else (condition.value,))
        ]
    )


def _to_condition(condition: Condition) -> qdrant.FieldCondition:
    field, value = condition.field, condition.value
    if isinstance(value, tuple):
        return qdrant.FieldCondition(key=field, match=qdrant.MatchAny(list(value)))
    if condition.test is Test.EQUALS:
        return qdrant.FieldCondition(key=field, match=qdrant.MatchValue(value=value))
    return qdrant.FieldCondition(key=field, range=qdrant.RangeFloat(**{str(condition.test): float(value)}))
