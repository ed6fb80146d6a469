"""What the next question needs to know of a conversation (pure)."""

from collections.abc import Sequence

from core.model import Counts, Message, Role, Turn
from core.model.limits import MAX_MODEL_TURNS

CHARS_PER_TOKEN = 4
"""The usual estimate for text that words do not count well, such as code; the larger estimate is used."""


def to_turns(messages: Sequence[Message]) -> list[Turn]:
    """Each question with its answer, oldest first; tool calls in between are left out.

    A window of the last messages may begin in the middle of a turn: that turn is left out too.
    """
    turns: list[Turn] = []
    question: Message | None = None
    for message in messages:
        if message.role is Role.USER:
            question = message
        elif message.role is Role.ASSISTANT and not message.tool_calls and question is not None:
            turns.append(Turn(question.content, message.content, message.cited_chunk_ids, question.selected_text))
            question = None
    return turns


def newest_within(
    turns: Sequence[Turn], *, token_budget: int, max_turns: int = MAX_MODEL_TURNS
) -> tuple[Turn, ...]:
    """As many of the newest *turns* as the model may be given and *token_budget* holds, oldest first."""
    kept: list[Turn] = []
    left = token_budget
    for turn in reversed(turns[-max_turns:]):
        left -= sum(map(estimate_tokens, (turn.question, turn.answer, turn.selected_text or "")))
        if left < 0:
            break
        kept.append(turn)
    return tuple(reversed(kept))


def estimate_tokens(text: str) -> int:
    """About how many tokens a model reads in *text*, rather too many than too few."""
    return max(Counts.of(text).tokens, len(text) // CHARS_PER_TOKEN)
