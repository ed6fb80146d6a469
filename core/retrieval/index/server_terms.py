"""Our values in the terms of qdrant-client, and its exceptions in ours. Importing it costs over a second."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx
from qdrant_client import models
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from core.errors import ServiceBusy, ServiceDown, ServiceTimeout
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

SERVICE = "Qdrant"
REFUSED = {401, 403}
TOO_MANY = 429
TIMED_OUT = {408, 504}


def words_config() -> dict[str, models.SparseVectorParams]:
    return {WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)}


def graph_config() -> models.HnswConfigDiff:
    """A graph for each book instead of one over all: a search names its books, and few chunks are theirs."""
    return models.HnswConfigDiff(m=0, payload_m=16)


def space_params(dimension: int) -> models.VectorParams:
    """A model's vectors in a collection that is made now."""
    return models.VectorParams(size=dimension, distance=models.Distance.COSINE)


def space_config(dimension: int) -> models.DenseVectorNameConfig:
    """A model's vectors in a collection that is there already."""
    return models.DenseVectorNameConfig(
        dense=models.DenseVectorConfig(size=dimension, distance=models.Distance.COSINE)
    )


def field_indexes() -> dict[str, models.KeywordIndexParams | models.IntegerIndexParams]:
    """An index for every field a filter can name."""
    keyword, integer = models.KeywordIndexType.KEYWORD, models.IntegerIndexType.INTEGER
    return {
        TENANT: models.KeywordIndexParams(type=keyword, is_tenant=True),
        **{field: models.KeywordIndexParams(type=keyword, enable_hnsw=False) for field in KEYWORDS},
        **{
            field: models.IntegerIndexParams(type=integer, lookup=True, range=True, enable_hnsw=False)
            for field in INTEGERS
        },
    }


def to_point(entry: IndexEntry, space: str) -> models.PointStruct:
    vectors: dict[str, object] = {WORDS: to_sparse(entry.terms)}
    if entry.embedding is not None:
        vectors[space] = to_numbers(entry.embedding)
    return models.PointStruct.model_construct(id=entry.chunk_id, vector=vectors, payload=to_payload(entry))


def to_sparse(terms: SparseVector) -> models.SparseVector:
    return models.SparseVector.model_construct(indices=list(terms.indices), values=list(terms.values))


def to_filter(conditions: Sequence[Condition]) -> models.Filter:
    return models.Filter(must=[_to_condition(condition) for condition in conditions])


def only(chunk_ids: Sequence[str]) -> models.Filter:
    """A filter that lets these chunks through and no others."""
    return models.Filter(must=[models.HasIdCondition(has_id=list(chunk_ids))])


def rarity_in(corpus: Sequence[Condition]) -> models.SearchParams:
    """Count how rare a word is in *corpus* alone."""
    return models.SearchParams(idf=models.IdfCorpusParams(corpus=to_filter(corpus)))


@contextmanager
def translated() -> Iterator[None]:
    """Let no exception of the client out."""
    try:
        yield
    except ResourceExhaustedResponse as error:
        raise ServiceBusy(SERVICE, str(error), retry_after=error.retry_after_s) from error
    except UnexpectedResponse as error:
        raise _from_status(error) from error
    except ResponseHandlingException as error:
        if isinstance(error.source, httpx.TimeoutException):
            raise ServiceTimeout(SERVICE, "the server did not answer in time") from error
        reason = "the server at QDRANT_URL cannot be reached"
        raise ServiceDown(SERVICE, f"{reason} ({type(error.source).__name__})") from error
    except (ApiException, QdrantException) as error:
        raise ServiceDown(SERVICE, str(error)) from error


def _from_status(error: UnexpectedResponse) -> ServiceDown | ServiceBusy | ServiceTimeout:
    if error.status_code in REFUSED:
        return ServiceDown(SERVICE, "the server refused the key; check QDRANT_API_KEY")
    if error.status_code == TOO_MANY:
        return ServiceBusy(SERVICE, "the server asked us to slow down")
    if error.status_code in TIMED_OUT:
        return ServiceTimeout(SERVICE, "the server did not finish in time")
    return ServiceDown(SERVICE, f"the server answered {error.status_code}: {error.content[:200]!r}")


def _to_condition(condition: Condition) -> models.FieldCondition:
    field, value = condition.field, condition.value
    if isinstance(value, tuple):
        return models.FieldCondition(key=field, match=models.MatchAny(any=list(value)))
    if condition.test is Test.EQUALS:
        return models.FieldCondition(key=field, match=models.MatchValue(value=value))
    return models.FieldCondition(key=field, range=models.Range.model_validate({str(condition.test): value}))
