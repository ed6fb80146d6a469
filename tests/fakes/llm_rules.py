"""What the real services refuse, so that a test meets the refusal before a member does."""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.embedding_create_params import EmbeddingCreateParams
from pydantic import TypeAdapter, ValidationError

MAX_OPENAI_INPUTS, MAX_OPENAI_TOKENS = 2048, 300_000
MAX_COHERE_TEXTS, MAX_COHERE_DOCUMENTS = 96, 1000

_CHAT: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)
_EMBEDDING: TypeAdapter[Any] = TypeAdapter(EmbeddingCreateParams)
_NEEDS_EFFORT_NONE = re.compile(r"gpt-5\.6|gpt-6")
_CHAT_FIELDS = set(CompletionCreateParamsStreaming.__annotations__) | {
    name for base in CompletionCreateParamsStreaming.__mro__ for name in getattr(base, "__annotations__", {})
}


class Refused(Exception):
    """The request breaks a rule of the real service; *param* names the field."""

    def __init__(self, message: str, *, param: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.param = param
        self.status = status


def check_chat(body: Mapping[str, Any]) -> None:
    """Refuse a body that does not fit the SDK's own types or the rules between its fields."""
    for name in body:
        if name not in _CHAT_FIELDS:
            raise Refused(f"Unrecognized request argument: {name}", param=name)
    try:
        checked = _CHAT.validate_python(dict(body))
        list(checked["messages"])  # checked lazily otherwise
        list(checked.get("tools", ()))
    except ValidationError as error:
        raise Refused(str(error)) from error
    _check_messages(body["messages"])
    _check_effort(body)
    if "tool_choice" in body and not body.get("tools"):
        raise Refused("'tool_choice' is only allowed when 'tools' are specified.", param="tool_choice")


def _check_effort(body: Mapping[str, Any]) -> None:
    if not _NEEDS_EFFORT_NONE.match(body["model"]):
        if "reasoning_effort" in body and body["model"].startswith("gpt-4"):
            raise Refused("Unsupported parameter: 'reasoning_effort'", param="reasoning_effort")
        return
    has_none = body.get("reasoning_effort") == "none"
    if body.get("tools") and not has_none:
        raise Refused(
            "Function tools need reasoning_effort none here; use the other API.", param="reasoning_effort"
        )
    if "temperature" in body and not has_none:
        raise Refused("Unsupported value: 'temperature'", param="temperature")


def _check_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    """The order that real servers insist on: one system message first, every call answered at once."""
    if [message["role"] for message in messages].count("system") != 1 or messages[0]["role"] != "system":
        raise Refused("exactly one system message, and it comes first", param="messages")
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                raise Refused("tool message without a preceding call", param="messages")
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            raise Refused(f"tool calls without an answer: {open_calls}", param="messages")
        open_calls += [call["id"] for call in message.get("tool_calls", ())]
    if open_calls:
        raise Refused(f"tool calls without an answer: {open_calls}", param="messages")
    spoken = [message["role"] for message in messages if message["role"] in {"user", "assistant"}]
    if any(first == second == "user" for first, second in itertools.pairwise(spoken)):
        raise Refused("members and assistant take turns", param="messages")


def check_embedding(body: Mapping[str, Any]) -> list[str]:
    """The inputs of an embedding request, or the service's refusal."""
    try:
        _EMBEDDING.validate_python(dict(body))
    except ValidationError as error:
        raise Refused(str(error)) from error
    inputs = body["input"] if isinstance(body["input"], list) else [body["input"]]
    if not 1 <= len(inputs) <= MAX_OPENAI_INPUTS:
        raise Refused(f"at most {MAX_OPENAI_INPUTS} inputs; found {len(inputs)}", param="input")
    if any(not text for text in inputs):
        raise Refused("input cannot be an empty string", param="input")
    if sum(len(text) for text in inputs) / 4 > MAX_OPENAI_TOKENS:
        raise Refused(f"at most {MAX_OPENAI_TOKENS} tokens a request", param="input")
    if "dimensions" in body and not body["model"].startswith("text-embedding-3"):
        raise Refused("This model does not support specifying dimensions.", param="dimensions")
    return list(inputs)


def check_cohere_embed(body: Mapping[str, Any]) -> list[str]:
    """The texts of a Cohere request, or the service's refusal."""
    texts = body.get("texts") or []
    if not 1 <= len(texts) <= MAX_COHERE_TEXTS:
        raise Refused(f"total number of texts must be 1 to {MAX_COHERE_TEXTS}; received {len(texts)}")
    if body.get("input_type") not in {"search_document", "search_query"}:
        raise Refused("valid input_type must be provided")
    if body.get("embedding_types") != ["float"]:
        raise Refused("embedding_types must be [float] here")
    if "output_dimension" in body and "-v3" in body["model"]:
        raise Refused("output_dimension is not supported for this model")
    if any(not text for text in texts):
        raise Refused("texts must not be empty")
    return list(texts)


def check_rerank(body: Mapping[str, Any]) -> list[str]:
    """The documents to be ordered, or the service's refusal."""
    documents = body.get("documents") or []
    if not body.get("query") or not documents or len(documents) > MAX_COHERE_DOCUMENTS:
        raise Refused("query and 1 to 1000 documents are needed")
    return list(documents)
