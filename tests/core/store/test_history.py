"""What of a conversation is shown to the model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Message, Role, Turn
from core.store.history import estimate_tokens, newest_within, to_turns

USER = Message(Role.USER, "What is a topic?")
ANSWER = Message(Role.ASSISTANT, "A named channel [1].")
CALL = Message(Role.ASSISTANT, "", tool_calls=[{"id": "1"}])
RESULT = Message(Role.TOOL, "{}", tool_call_id="1")
TURN = Turn("What is a topic?", "A named channel [1].")


@pytest.mark.parametrize(
    ("messages", "turns"),
    [
        pytest.param([], [], id="nothing said"),
        pytest.param([USER, ANSWER], [TURN], id="one turn"),
        pytest.param([USER, CALL, RESULT, ANSWER], [TURN], id="with a tool call in between"),
        pytest.param([ANSWER, USER, ANSWER], [TURN], id="the window begins in the middle of a turn"),
        pytest.param([USER, ANSWER, USER], [TURN], id="the last question is not answered"),
        pytest.param([USER, USER, ANSWER], [TURN], id="a question that never got its answer"),
    ],
)
def test_messages_become_turns(messages: list[Message], turns: list[Turn]) -> None:
    assert to_turns(messages) == turns


@given(
    turns=st.lists(st.builds(Turn, question=st.text(max_size=200), answer=st.text(max_size=200)), max_size=30),
    budget=st.integers(0, 400),
    most=st.integers(1, 20),
)
def test_what_is_kept_fits_and_is_the_newest(turns: list[Turn], budget: int, most: int) -> None:
    kept = newest_within(turns, token_budget=budget, max_turns=most)

    used = sum(estimate_tokens(turn.question) + estimate_tokens(turn.answer) for turn in kept)
    assert used + len(kept) * estimate_tokens("") <= budget or not kept
    assert len(kept) <= most
    assert kept == tuple(turns[len(turns) - len(kept) :])
