"""Carries out the model's searches, and searches for a model that does not."""

import asyncio
from dataclasses import replace

from core.answering.model.attempt import Attempt
from core.answering.model.chat import Completion, ToolCall
from core.answering.model.finding import Finder
from core.answering.model.tool import Search, ToolMistake, to_error, to_results, to_search
from core.model import Findings

MAX_SEARCHES_AT_ONCE = 4
"""More than a question ever needs; a model that asks for more is told so."""


class Searching:
    """Puts passages on an attempt's shelf."""

    def __init__(self, *, finder: Finder) -> None:
        self._finder = finder

    async def carry_out(self, completion: Completion, attempt: Attempt) -> None:
        """Answer every call of the model: with passages, or with what was wrong about it.

        Raises:
            ServiceError: the search did not do its part.
        """
        calls = list(completion.calls.values())
        brought = await asyncio.gather(*(self._carry_out(call, i, attempt) for i, call in enumerate(calls)))
        results = []
        for outcome in brought:
            if isinstance(outcome, str):
                results.append(outcome)
                continue
            search, findings = outcome
            findings = findings.above(search.similarity_threshold)
            if attempt.task.question.selected_text and not attempt.shelf.retrievals:
                findings = await self._with_selection(findings, attempt)
            attempt.shelf.add(findings)
            results.append(to_results(findings, attempt.shelf))
        attempt.add_calls(completion, results)

    async def _with_selection(self, findings: Findings, attempt: Attempt) -> Findings:
        """What fits the selected text comes first: a model seldom repeats it in its query."""
        selected = await self._finder.find(attempt.task)
        known = {found.chunk.id for found in selected.chunks}
        chunks = (*selected.chunks, *(found for found in findings.chunks if found.chunk.id not in known))
        return replace(
            findings,
            chunks=chunks,
            total_found=max(findings.total_found, len(chunks)),
            answerability=max(findings.answerability, selected.answerability),
            sentences=(*selected.sentences, *findings.sentences),
        )

    async def do_for_model(self, attempt: Attempt) -> None:
        """Find what fits the question itself and put it beside the question."""
        threshold = attempt.task.question.similarity_threshold
        findings = (await self._finder.find(attempt.task)).above(threshold)
        attempt.shelf.add(findings)
        attempt.give_passages(to_results(findings, attempt.shelf))

    async def _carry_out(self, call: ToolCall, index: int, attempt: Attempt) -> str | tuple[Search, Findings]:
        question = attempt.task.question
        try:
            if index >= MAX_SEARCHES_AT_ONCE:
                raise ToolMistake(f"At most {MAX_SEARCHES_AT_ONCE} searches at once.")
            search = to_search(call.name, call.arguments, question=question, scope=attempt.task.scope)
        except ToolMistake as mistake:
            return to_error(str(mistake))
        return search, await self._finder.search(search.query, search.scope, limit=search.top_k)
