"""Which role may carry what."""

from typing import Any

import pytest

from core.errors import QuestionError
from core.model import Message, Role

CALLS = [{"id": "1", "function": {"name": "retrieve_documentation"}}]


@pytest.mark.parametrize(
    ("role", "carried", "is_taken"),
    [
        pytest.param(Role.USER, {}, True, id="a member speaks"),
        pytest.param(Role.USER, {"content": " "}, False, id="a member says nothing"),
        pytest.param(Role.USER, {"tool_calls": CALLS}, False, id="a member calls a tool"),
        pytest.param(Role.USER, {"tool_call_id": "1"}, False, id="a member answers a call"),
        pytest.param(Role.USER, {"confidence": 0.5}, False, id="a member has a confidence"),
        pytest.param(Role.USER, {"selected_text": "x"}, True, id="a member selects a text"),
        pytest.param(Role.ASSISTANT, {"tool_calls": CALLS, "content": ""}, True, id="the assistant calls a tool"),
        pytest.param(Role.ASSISTANT, {"confidence": 0.5}, True, id="an answer has a confidence"),
        pytest.param(Role.ASSISTANT, {"tool_call_id": "1"}, False, id="the assistant answers a call"),
        pytest.param(Role.ASSISTANT, {"selected_text": "x"}, False, id="the assistant selects a text"),
        pytest.param(Role.TOOL, {"tool_call_id": "1"}, True, id="a tool answers a call"),
        pytest.param(Role.TOOL, {}, False, id="a tool answers no call"),
        pytest.param(Role.TOOL, {"tool_call_id": "1", "confidence": 0.5}, False, id="a tool has a confidence"),
        pytest.param(Role.SYSTEM, {}, True, id="the system prompt"),
        pytest.param(Role.SYSTEM, {"tool_calls": CALLS}, False, id="the system prompt calls a tool"),
    ],
)
def test_role_carries_only_what_it_may(role: Role, carried: dict[str, Any], is_taken: bool) -> None:
    fields = {"content": "Hello.", **carried}

    if is_taken:
        assert Message(role, **fields).role is role
    else:
        with pytest.raises(QuestionError):
            Message(role, **fields)


@pytest.mark.parametrize("confidence", [-0.01, 1.01])
def test_confidence_of_a_message_is_a_share(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Message(Role.ASSISTANT, "Yes.", confidence=confidence)
