"""A strict local OpenAI and Cohere: real sockets, scripted answers, and every way to fail.

Run as a process of its own (`python -m tests.fakes.llm_server`) it answers like an honest student, so that
the whole product can be tried with a model on a machine without network. With `--trouble 7` every seventh answer
goes wrong, each time in another way.
"""

import argparse
import asyncio
import base64
import json
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from aiohttp import web
from numpy.typing import NDArray

from tests.fakes.llm_rules import Refused, check_chat, check_cohere_embed, check_embedding, check_rerank
from tests.fakes.llm_steps import Step
from tests.fakes.llm_student import Troubled, study

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 40},
}


class LLMServer:
    """Answers with the next Step of *script*, or as *default* decides. Keeps every request it was sent."""

    def __init__(self) -> None:
        self.script: deque[Step] = deque()
        """For chats."""
        self.other_script: deque[Step] = deque()
        """For embeddings and reranking; only failures matter there."""
        self.default: Callable[[Mapping[str, Any]], Step] = study
        self.chats: list[dict[str, Any]] = []
        self.callers: list[tuple[str, str]] = []
        """Path and key of each request."""
        self.others: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.hung_up = asyncio.Event()
        """Set when a client leaves while it is being stalled."""
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def __aenter__(self) -> "LLMServer":
        return await self.start(port=0)

    async def start(self, *, port: int) -> "LLMServer":
        app = web.Application(client_max_size=64 * 1024**2)
        # Other vendors have the same interface at another address.
        for base in ("/v1", "/openai/v1", "/api/v1"):
            app.router.add_post(f"{base}/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_post("/v2/embed", self._cohere_embed)
        app.router.add_post("/v2/rerank", self._cohere_rerank)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    @property
    def openai_url(self) -> str:
        return f"{self.url}/v1"

    def say(self, *steps: Step) -> None:
        """Answer the next chats like this."""
        self.script.extend(steps)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await self._read(request, self.chats)
        try:
            check_chat(body)
        except Refused as refused:
            return self._refuse(refused)
        step = self.script.popleft() if self.script else self.default(body)
        if step.status >= 400:
            return _failure(step)
        return await self._stream(request, body, step)

    async def _stream(self, request: web.Request, body: Mapping[str, Any], step: Step) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        frame = {"id": "chatcmpl-1", "created": 1, "model": body["model"], "object": "chat.completion.chunk"}

        async def send(choices: list[dict[str, Any]], **more: Any) -> None:
            await response.write(b"data: " + json.dumps({**frame, "choices": choices, **more}).encode() + b"\n\n")

        for number, delta in enumerate(step.deltas()):
            if await self._goes_wrong(request, response, step, number):
                return response
            await send([{"index": 0, "delta": delta, "finish_reason": None}])
        await send([{"index": 0, "delta": {}, "finish_reason": step.finish_reason}])
        if step.has_usage and (body.get("stream_options") or {}).get("include_usage"):
            await send([], usage=USAGE)
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
        return response

    async def _goes_wrong(
        self, request: web.Request, response: web.StreamResponse, step: Step, number: int
    ) -> bool:
        if step.cut_after == number:
            assert request.transport is not None
            request.transport.abort()
        elif step.eof_after == number:
            await response.write_eof()
        elif step.stall_after == number:
            try:
                await asyncio.Event().wait()
            finally:
                self.hung_up.set()
        elif step.garbage_after == number:
            await response.write(b"data: {not json\n\n")
            await response.write_eof()
        elif step.error_after == number:
            error = step.error or {"message": "The server had an error", "type": "server_error"}
            await response.write(b"data: " + json.dumps({"error": error}).encode() + b"\n\n")
            await response.write_eof()
        else:
            return False
        return True

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        body = await self._read(request, self.others)
        if failure := self._next_failure():
            return failure
        try:
            inputs = check_embedding(body)
        except Refused as refused:
            return self._refuse(refused)
        size = body.get("dimensions") or (3072 if body["model"].endswith("-large") else 1536)
        is_packed = body.get("encoding_format") == "base64"
        rows = [bag_of_words(text, size) for text in inputs]
        shown = [base64.b64encode(row.tobytes()).decode() if is_packed else row.tolist() for row in rows]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(shown)]
        usage = {"prompt_tokens": len(inputs), "total_tokens": len(inputs)}
        return web.json_response({"object": "list", "model": body["model"], "data": data, "usage": usage})

    async def _cohere_embed(self, request: web.Request) -> web.StreamResponse:
        body = await self._read(request, self.others)
        if failure := self._next_failure():
            return failure
        try:
            texts = check_cohere_embed(body)
        except Refused as refused:
            return web.json_response({"message": str(refused)}, status=refused.status)
        rows = [bag_of_words(text, body.get("output_dimension") or 1024) for text in texts]
        return web.json_response(
            {
                "id": "1",
                "response_type": "embeddings_by_type",
                "texts": texts,
                "embeddings": {"float": [row.tolist() for row in rows]},
            }
        )

    async def _cohere_rerank(self, request: web.Request) -> web.StreamResponse:
        body = await self._read(request, self.others)
        if failure := self._next_failure():
            return failure
        try:
            documents = check_rerank(body)
        except Refused as refused:
            return web.json_response({"message": str(refused)}, status=refused.status)
        asked = set(body["query"].lower().split())
        scored = [(len(asked & set(each.lower().split())) / len(asked), i) for i, each in enumerate(documents)]
        ranked = sorted(scored, key=lambda pair: -pair[0])[: body.get("top_n") or len(documents)]
        return web.json_response({"id": "1", "results": [{"index": i, "relevance_score": s} for s, i in ranked]})

    async def _read(self, request: web.Request, kept: list[dict[str, Any]]) -> dict[str, Any]:
        body: dict[str, Any] = await request.json()
        kept.append(body)
        self.callers.append((request.path, request.headers.get("authorization", "")))
        if request.headers.get("authorization") == "Bearer wrong":
            raise web.HTTPUnauthorized(
                text=json.dumps({"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}),
                content_type="application/json",
            )
        return body

    def _next_failure(self) -> web.Response | None:
        return _failure(self.other_script.popleft()) if self.other_script else None

    def _refuse(self, refused: Refused) -> web.Response:
        self.refused.append(str(refused))
        error = {"message": str(refused), "type": "invalid_request_error", "param": refused.param, "code": None}
        return web.json_response({"error": error}, status=refused.status)


def bag_of_words(text: str, size: int) -> NDArray[np.float32]:
    """A vector in which texts that share words lie close, so that retrieval really ranks."""
    row = np.zeros(size, dtype=np.float32)
    for word in re.findall(r"\w+", text.lower()) or [text]:
        row[int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "big") % size] += 1.0
    unit: NDArray[np.float32] = row / np.linalg.norm(row)
    return unit


def _failure(step: Step) -> web.Response:
    error = dict(step.error or {"message": "scripted failure", "type": "server_error", "code": None})
    body = {"error": error, "message": error.get("message", "scripted failure")}
    return web.json_response(body, status=step.status, headers=dict(step.headers))


async def _serve(port: int, trouble: int) -> None:
    server = await LLMServer().start(port=port)
    if trouble:
        server.default = Troubled(every=trouble)
    sys.stdout.write(f"OPENAI_BASE_URL={server.openai_url} CO_API_URL={server.url}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", nargs="?", type=int, default=8766)
    parser.add_argument("--trouble", type=int, default=0, metavar="N", help="every Nth answer goes wrong")
    options = parser.parse_args()
    asyncio.run(_serve(options.port, options.trouble))
