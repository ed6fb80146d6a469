"""A Qdrant server for tests: the REST routes our client uses, answered by Qdrant's own engine.

Bodies are checked against the client's published models, which know every field; what they or we do not know is
refused with the status a real server gives.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import qdrant_edge as edge
from aiohttp import web
from pydantic import BaseModel, ValidationError
from qdrant_client import models

from tests.fakes.qdrant_terms import (
    read_condition,
    read_field_index,
    read_query,
    read_vectors,
    show_point,
    without,
)

Update = edge.UpdateOperation
Answer = dict[str, Any] | list[Any] | bool
Body = TypeVar("Body", bound=BaseModel)


@dataclass
class Collection:
    """One shard and what was asked for when it was made."""

    shard: edge.EdgeShard
    vectors: dict[str, Any]
    sparse_vectors: dict[str, Any]
    fields: dict[str, Any] = field(default_factory=dict)


class QdrantServer:
    """What tests see of the server: its address, and the trouble they may ask it for."""

    def __init__(self, folder: Path, *, key: str | None = None) -> None:
        self.url = ""
        self.requests: list[str] = []
        self.trouble: Callable[[web.Request], Awaitable[web.Response | None]] | None = None
        self._folder = folder
        self._key = key
        self._collections: dict[str, Collection] = {}

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=1 << 28)
        one = "/collections/{name}"
        app.add_routes(
            [
                web.get(f"{one}/exists", self._exists),
                web.put(one, self._create),
                web.get(one, self._describe),
                web.put(f"{one}/index", self._index_field),
                web.put(f"{one}/vectors/{{space}}", self._add_space),
                web.delete(f"{one}/vectors/{{space}}", self._drop_space),
                web.put(f"{one}/points", self._upsert),
                web.post(f"{one}/points", self._retrieve),
                web.put(f"{one}/points/vectors", self._update_vectors),
                web.post(f"{one}/points/delete", self._delete),
                web.post(f"{one}/points/query", self._query),
                web.post(f"{one}/points/scroll", self._scroll),
                web.post(f"{one}/points/count", self._count),
            ]
        )
        return app

    def rename_words(self, collection: str, name: str) -> None:
        """Let a collection look as if something else had made it."""
        made = self._collections[collection]
        made.sparse_vectors = dict.fromkeys([name], *made.sparse_vectors.values())

    def close(self) -> None:
        for collection in self._collections.values():
            collection.shard.close()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        self.requests.append(f"{request.method} {request.path}")
        if self._key is not None and request.headers.get("api-key") != self._key:
            return refusal(401, "Must provide an API key or an Authorization bearer token")
        if self.trouble is not None and (answer := await self.trouble(request)) is not None:
            return answer
        try:
            return await handler(request)
        except ValidationError as error:
            return refusal(400, f"Format error in JSON body: {error}")
        except KeyError as error:
            return refusal(404, f"Not found: {error}")
        except web.HTTPException:
            raise
        except Exception as error:  # the engine raises nothing more precise
            return refusal(400, f"Wrong input: {error}")

    async def _exists(self, request: web.Request) -> web.Response:
        return answer({"exists": request.match_info["name"] in self._collections})

    async def _create(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        body = await read(request, models.CreateCollection)
        if name in self._collections:
            return refusal(409, f"Wrong input: Collection `{name}` already exists!")
        assert isinstance(body.vectors, dict)
        sparse = body.sparse_vectors or {}
        assert all(params.modifier is models.Modifier.IDF for params in sparse.values())
        config = edge.EdgeConfig(
            vectors={
                space: edge.EdgeVectorParams(size=params.size, distance=edge.Distance.Cosine)
                for space, params in body.vectors.items()
            },
            sparse_vectors={word: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf) for word in sparse},
        )
        (self._folder / name).mkdir(parents=True)
        self._collections[name] = Collection(
            shard=edge.EdgeShard.create(str(self._folder / name), config),
            vectors={space: params.model_dump(exclude_none=True) for space, params in body.vectors.items()},
            sparse_vectors={word: params.model_dump(exclude_none=True) for word, params in sparse.items()},
        )
        return answer(True)

    async def _describe(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        info = collection.shard.info()
        params = {"vectors": collection.vectors, "sparse_vectors": collection.sparse_vectors}
        return answer(
            {
                "status": "green",
                "optimizer_status": "ok",
                "points_count": info.points_count,
                "segments_count": info.segments_count,
                "config": {
                    "params": params,
                    "hnsw_config": {"m": 0, "ef_construct": 100, "full_scan_threshold": 10000},
                    "optimizer_config": {
                        "deleted_threshold": 0.2,
                        "vacuum_min_vector_number": 1000,
                        "default_segment_number": 0,
                        "flush_interval_sec": 5,
                    },
                    "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
                },
                "payload_schema": collection.fields,
            }
        )

    async def _index_field(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.CreateFieldIndex)
        params = read_field_index(body.field_schema)
        collection.shard.update(Update.create_field_index(body.field_name, params))
        kind = "keyword" if isinstance(params, edge.KeywordIndexParams) else "integer"
        collection.fields[body.field_name] = {"data_type": kind, "points": 0}
        return done()

    async def _add_space(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.DenseVectorNameConfig)
        space, size = request.match_info["space"], body.dense.size
        collection.shard.update(Update.create_dense_vector(space, size, edge.Distance.Cosine))
        collection.vectors[space] = {"size": size, "distance": "Cosine"}
        return done()

    async def _drop_space(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        collection.shard.update(Update.delete_vector_name(request.match_info["space"]))
        collection.vectors.pop(request.match_info["space"], None)
        return done()

    async def _upsert(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.PointsList)
        points = [edge.Point(str(p.id), read_vectors(p.vector), p.payload) for p in body.points]
        collection.shard.update(Update.upsert_points(points))
        return done()

    async def _update_vectors(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.UpdateVectors)
        vectors = [edge.PointVectors(str(p.id), read_vectors(p.vector)) for p in body.points]
        collection.shard.update(Update.update_vectors(vectors))
        return done()

    async def _retrieve(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.PointRequest)
        points = collection.shard.retrieve(
            [str(one) for one in body.ids],
            with_payload=without(body.with_payload),
            with_vector=body.with_vector or False,
        )
        return answer([show_point(point) for point in points])

    async def _delete(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        raw = await request.json()
        if "points" in raw:
            ids = models.PointIdsList.model_validate(raw).points
            collection.shard.update(Update.delete_points([str(one) for one in ids]))
        else:
            chosen = read_condition(models.FilterSelector.model_validate(raw).filter)
            assert chosen is not None, "a filter without a condition would delete everything"
            collection.shard.update(Update.delete_points_by_filter(chosen))
        return done()

    async def _query(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.QueryRequest)
        points = collection.shard.query(read_query(body))
        return answer({"points": [show_point(point) for point in points]})

    async def _scroll(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.ScrollRequest)
        scroll = edge.ScrollRequest(
            limit=body.limit,
            offset=str(body.offset) if body.offset else None,
            filter=read_condition(body.filter),
            with_payload=without(body.with_payload),
            with_vector=body.with_vector,
        )
        points, following = collection.shard.scroll(scroll)
        shown = [show_point(point) for point in points]
        return answer({"points": shown, "next_page_offset": str(following) if following else None})

    async def _count(self, request: web.Request) -> web.Response:
        collection = self._collection(request)
        body = await read(request, models.CountRequest)
        wanted = edge.CountRequest(filter=read_condition(body.filter), exact=bool(body.exact))
        return answer({"count": collection.shard.count(wanted)})

    def _collection(self, request: web.Request) -> Collection:
        return self._collections[request.match_info["name"]]


@asynccontextmanager
async def open_qdrant_server(folder: Path, *, key: str | None = None) -> AsyncIterator[QdrantServer]:
    """A server on a free port of this machine, stopped at the end."""
    server = QdrantServer(folder, key=key)
    runner = web.AppRunner(server.app(), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    assert isinstance(site._server, asyncio.Server)
    server.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        await runner.cleanup()
        server.close()


async def read(request: web.Request, model: type[Body]) -> Body:
    return model.model_validate_json(await request.text() or "{}")


def answer(result: Answer) -> web.Response:
    return web.json_response({"result": result, "status": "ok", "time": 0.0})


def done() -> web.Response:
    return answer({"operation_id": 1, "status": "completed"})


def refusal(status: int, reason: str, headers: dict[str, str] | None = None) -> web.Response:
    body = {"status": {"error": reason}, "time": 0.0}
    return web.json_response(body, status=status, headers=headers)
