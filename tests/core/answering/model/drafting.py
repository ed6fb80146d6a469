"""Runs a writer to its end."""

from core.model import Draft, Findings, StageEvent, Task, TextEvent
from core.ports import Writer


async def written(writer: Writer, task: Task) -> tuple[Draft, list[StageEvent | TextEvent]]:
    """The draft, and everything that was told before it."""
    events = [event async for event in writer.write(task)]
    draft = events.pop()
    assert isinstance(draft, Draft)
    assert not any(isinstance(event, Draft) for event in events), "exactly one draft"
    told = [event for event in events if not isinstance(event, Draft | Findings)]
    return draft, told
