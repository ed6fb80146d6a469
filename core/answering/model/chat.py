"""One call of the model: text as it comes, and at the end all that it said."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from logging import getLogger
from typing import Any, Literal

from openai import AsyncOpenAI, AsyncStream, BadRequestError, UnprocessableEntityError, omit
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.chat.chat_completion_chunk import Choice, ChoiceDeltaToolCall

from core.answering.model.parameters import Parameters
from core.answering.model.usage import Usage
from core.providers.openai_api import SERVICE, translated
from core.providers.trouble import BROKE_OFF, NONSENSE, WITHHELD, service_down

MAX_ANSWER_CHARS = 16_000
"""Far more than any answer; a model that goes on after this is stuck in a loop."""
CHARS_PER_TOKEN = 4

ToolChoice = Literal["required", "auto", "none"]
_log = getLogger(__name__)


@dataclass(slots=True)
class ToolCall:
    """A call the model made, its arguments as it wrote them."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Completion:
    """Everything one call of the model brought."""

    text: str = ""
    calls: dict[int, ToolCall] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    finish: str | None = None
    is_withheld: bool = False

    def add(self, choice: Choice) -> str:
        """Take in one event; gives the text it brought."""
        self.finish = choice.finish_reason or self.finish
        for piece in choice.delta.tool_calls or ():
            call = self._call_of(piece)
            if piece.function is not None:
                call.name += piece.function.name or ""
                call.arguments += piece.function.arguments or ""
        self.is_withheld = self.is_withheld or bool(choice.delta.refusal)
        added = choice.delta.content or ""
        self.text += added
        return added

    def _call_of(self, piece: ChoiceDeltaToolCall) -> ToolCall:
        """The call a piece belongs to. Some servers number no call, others give all of them the same number."""
        index = piece.index if piece.index is not None else len(self.calls)
        known = self.calls.get(index)
        if known is not None and piece.id and known.id != piece.id and known.arguments:
            index = len(self.calls)
            known = next((call for call in self.calls.values() if call.id == piece.id), None)
        if known is None:
            known = self.calls[index] = ToolCall(id=piece.id or f"call_{index}")
        return known

    def check(self) -> None:
        """Refuse what is no whole answer: the SDK says nothing when a stream ends early."""
        if self.is_withheld or self.finish == "content_filter":
            raise service_down(SERVICE, WITHHELD, "the provider withheld the answer")
        if self.finish is None:
            raise service_down(SERVICE, BROKE_OFF, "the stream ended early")
        if self.finish == "length":
            raise service_down(SERVICE, BROKE_OFF, "the answer was longer than the server allows")


class ChatModel:
    """A model behind the Chat Completions interface."""

    def __init__(self, *, client: AsyncOpenAI, model: str, parameters: Parameters) -> None:
        self._client = client
        self._model = model
        self._parameters = parameters

    @property
    def model(self) -> str:
        return self._model

    @property
    def has_tools(self) -> bool:
        """Whether the server takes tools, as far as it has told."""
        return self._parameters.sends("tools")

    async def stream(
        self,
        messages: Sequence[ChatCompletionMessageParam],
        *,
        tools: Sequence[ChatCompletionToolParam] = (),
        choice: ToolChoice = "auto",
    ) -> AsyncGenerator[str | Completion]:
        """Give the text as it comes, then one Completion as the last item.

        Raises:
            ServiceError: the server failed, or what came is not a whole answer.
        """
        completion = Completion()
        with translated():
            stream = await self._open(messages, tools, choice)
            async with stream:
                async for event in stream:
                    if event.usage is not None:
                        completion.usage = _to_usage(event)
                    if event.choices and (added := completion.add(event.choices[0])):
                        yield added
                    if len(completion.text) > MAX_ANSWER_CHARS:
                        raise service_down(SERVICE, NONSENSE, "the answer does not end")
        completion.check()
        if not completion.usage.total:
            completion.usage = _estimated(messages, completion)
        yield completion

    async def complete(self, messages: Sequence[ChatCompletionMessageParam]) -> Completion:
        """The whole of a call without tools, for callers that show nothing meanwhile."""
        async for event in self.stream(messages):
            if isinstance(event, Completion):
                return event
        raise AssertionError("a stream always ends with a completion")

    async def _open(
        self,
        messages: Sequence[ChatCompletionMessageParam],
        tools: Sequence[ChatCompletionToolParam],
        choice: ToolChoice,
    ) -> AsyncStream[ChatCompletionChunk]:
        """Send the request; a parameter that the server names in a refusal is dropped for good."""
        while True:
            try:
                stream: AsyncStream[ChatCompletionChunk] = await self._client.chat.completions.create(
                    model=self._model, messages=messages, stream=True, **self._options(tools, choice)
                )
                return stream
            except (BadRequestError, UnprocessableEntityError) as refusal:
                # What the server names as the culprit counts before what it mentions beside it.
                named = self._parameters.drop_named_in(refusal.param or "")
                dropped = named or self._parameters.drop_named_in(refusal.message)
                if dropped is None:
                    raise
                _log.warning("%s does not take %r; it is not sent any more", self._model, dropped)

    def _options(self, tools: Sequence[ChatCompletionToolParam], choice: ToolChoice) -> dict[str, Any]:
        given = self._parameters
        has_tools = bool(tools) and given.sends("tools")
        options: dict[str, Any] = {
            "temperature": given.temperature,
            "reasoning_effort": given.reasoning_effort,
            "stream_options": {"include_usage": True},
            "tools": list(tools) if has_tools else None,
            "tool_choice": choice if has_tools else None,
        }
        return {name: omit if value is None or not given.sends(name) else value for name, value in options.items()}


def _to_usage(event: ChatCompletionChunk) -> Usage:
    assert event.usage is not None
    details = event.usage.prompt_tokens_details
    cached = (details.cached_tokens or 0) if details else 0
    return Usage(event.usage.prompt_tokens, cached, event.usage.completion_tokens)


def _estimated(messages: Sequence[ChatCompletionMessageParam], completion: Completion) -> Usage:
    """About what a server that does not count would have counted."""
    read = sum(len(str(message.get("content") or "")) for message in messages)
    written = len(completion.text) + sum(len(call.arguments) for call in completion.calls.values())
    return Usage(read=read // CHARS_PER_TOKEN, written=written // CHARS_PER_TOKEN)
