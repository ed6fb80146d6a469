"""What the model writer asks of the retriever."""

from typing import Protocol

from core.model import Filters, Findings, Task


class Finder(Protocol):
    """Finds passages: for a whole task, or for words the model chose."""

    async def find(self, task: Task) -> Findings:
        """What fits the question, its conversation and its selected text."""

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        """What fits *query* within *scope*, best first."""
