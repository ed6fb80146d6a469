"""All that one answer collects on its way: messages, passages, tokens, and the calls it may still make."""

from collections.abc import Sequence

from openai.types.chat import (
    ChatCompletionAssistantMessageParam,
    ChatCompletionMessageParam,
    ChatCompletionMessageToolCallUnionParam,
)

from core.answering.model.chat import Completion
from core.answering.model.prompts import history_messages, new_boundary, question_message, system_message
from core.answering.model.shelf import Shelf
from core.answering.model.usage import Usage
from core.model import Task

MAX_CALLS = 4
"""Of the model, for one answer. The last one is kept for the repair."""


class Attempt:
    """The state of one answer while it is being written."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.boundary = new_boundary()
        self.shelf = Shelf()
        self.usage = Usage()
        self.calls_left = MAX_CALLS
        self._before = [system_message(self.boundary), *history_messages(task.history.turns)]
        self._after: list[ChatCompletionMessageParam] = [question_message(task, self.boundary)]

    @property
    def messages(self) -> list[ChatCompletionMessageParam]:
        return [*self._before, *self._after]

    @property
    def must_answer(self) -> bool:
        """Whether the next call has to bring the answer, so that one is left for its repair."""
        return self.calls_left <= 2

    @property
    def asked(self) -> str:
        """What the member wrote, which an answer may refer to."""
        question = self.task.question
        return f"{question.text}\n{question.selected_text or ''}"

    def count(self, completion: Completion) -> None:
        self.usage = self.usage + completion.usage
        self.calls_left -= 1

    def give_passages(self, passages: str) -> None:
        """Put the passages beside the question, for a model that did not search for them."""
        self._after = [question_message(self.task, self.boundary, passages=passages)]

    def add_calls(self, completion: Completion, results: Sequence[str]) -> None:
        """Keep the model's calls and what each brought, as the next call must show them."""
        calls: list[ChatCompletionMessageToolCallUnionParam] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name or "unnamed", "arguments": call.arguments or "{}"},
            }
            for call in completion.calls.values()
        ]
        message: ChatCompletionAssistantMessageParam = {"role": "assistant", "tool_calls": calls}
        self._after.append(message)
        for call, result in zip(completion.calls.values(), results, strict=True):
            self._after.append({"role": "tool", "tool_call_id": call.id, "content": result})

    def add_draft(self, text: str, request: ChatCompletionMessageParam) -> None:
        """Keep a draft and what we ask to be changed in it."""
        self._after += [{"role": "assistant", "content": text}, request]
