"""What a Qdrant client sends, in the terms of Qdrant's embedded engine."""

from typing import Any

import qdrant_edge as edge
from qdrant_client import models


def read_vectors(vectors: object) -> dict[str, Any]:
    assert isinstance(vectors, dict), "vectors are named"
    return {name: read_vector(vector) for name, vector in vectors.items()}


def read_vector(vector: object) -> Any:
    if isinstance(vector, models.SparseVector):
        return edge.SparseVector(vector.indices, vector.values)
    assert isinstance(vector, list)
    return vector


def read_query(body: models.QueryRequest) -> edge.QueryRequest:
    """A search by one vector; the rest of Qdrant's query language is refused."""
    assert body.prefetch is None
    assert body.score_threshold is None
    query = body.query.nearest if isinstance(body.query, models.NearestQuery) else body.query
    params = None
    if body.params is not None and body.params.idf is not None:
        assert isinstance(body.params.idf, models.IdfCorpusParams)
        params = edge.SearchParams(idf=edge.IdfParams(corpus=read_condition(body.params.idf.corpus)))
    return edge.QueryRequest(
        limit=body.limit or 10,
        query=edge.Query.Nearest(read_vector(query), using=body.using),
        filter=read_condition(body.filter),
        params=params,
        with_payload=without(body.with_payload),
        with_vector=body.with_vector,
    )


def without(payload: object) -> bool:
    """Our index never asks for payload: what a chunk says is in the library."""
    assert payload is False
    return False


def read_condition(wanted: models.Filter | None) -> edge.Filter | None:
    if wanted is None or not wanted.must:
        return None
    assert not any((wanted.should, wanted.must_not, wanted.min_should))
    must = wanted.must if isinstance(wanted.must, list) else [wanted.must]
    return edge.Filter(must=[_read_one(condition) for condition in must])


def read_field_index(schema: object) -> edge.KeywordIndexParams | edge.IntegerIndexParams:
    if isinstance(schema, models.KeywordIndexParams):
        return edge.KeywordIndexParams(is_tenant=schema.is_tenant, enable_hnsw=schema.enable_hnsw)
    assert isinstance(schema, models.IntegerIndexParams)
    return edge.IntegerIndexParams(lookup=schema.lookup, range=schema.range, enable_hnsw=schema.enable_hnsw)


def show_point(point: edge.Record | edge.ScoredPoint) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": str(point.id), "payload": point.payload}
    if isinstance(point, edge.ScoredPoint):
        shown |= {"version": point.version, "score": point.score}
    if isinstance(point.vector, dict):
        shown["vector"] = {name: _show_vector(vector) for name, vector in point.vector.items()}
    return shown


def _show_vector(vector: object) -> Any:
    if isinstance(vector, edge.SparseVector):
        return {"indices": vector.indices, "values": vector.values}
    return vector


def _read_one(condition: object) -> Any:
    if isinstance(condition, models.HasIdCondition):
        return edge.HasIdCondition({str(one) for one in condition.has_id})
    assert isinstance(condition, models.FieldCondition)
    if isinstance(condition.match, models.MatchValue):
        return edge.FieldCondition(key=condition.key, match=edge.MatchValue(value=condition.match.value))
    if isinstance(condition.match, models.MatchAny):
        return edge.FieldCondition(key=condition.key, match=edge.MatchAny(condition.match.any))
    assert isinstance(condition.range, models.Range)
    bounds = condition.range.model_dump(exclude_none=True)
    return edge.FieldCondition(key=condition.key, range=edge.RangeFloat(**bounds))
