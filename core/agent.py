"""One question to its answer: the story everything else serves."""

from collections.abc import AsyncIterator
from dataclasses import replace
from time import perf_counter

from core.answering.citing import to_answer
from core.answering.summarising import topic_summary
from core.model import Answer, AnswerEvent, AskEvent, Draft, Findings, Question, Stage, StageEvent, Task
from core.model.limits import DEFAULT_TOP_K
from core.ports import Writer
from core.store.library import Library
from core.store.sessions import Sessions


class Agent:
    """Answers questions from the books. Asking is safe to do many times at once."""

    def __init__(
        self,
        *,
        sessions: Sessions,
        library: Library,
        writer: Writer,
        top_k: int = DEFAULT_TOP_K,
        similarity_threshold: float = 0.0,
    ) -> None:
        self._sessions = sessions
        self._library = library
        self._writer = writer
        self._top_k = top_k
        self._similarity_threshold = similarity_threshold

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        """Tell each stage and the text so far; the last event carries the finished answer.

        Raises:
            QuestionError: the question names a book or session that this group does not have.
            ServiceError: something the answer needs did not do its part.
        """
        started = perf_counter()
        yield StageEvent(Stage.RECEIVED)
        question = self._as_usual(question)
        session = await self._sessions.open(question)
        scope = await self._library.scope(question, session)
        history = await self._sessions.recall(session.id, apart_from=question.event_id)
        task = Task(question, history, scope)
        yield StageEvent(Stage.VALIDATED)

        draft: Draft | None = None
        async for event in self._writer.write(task):
            if isinstance(event, Draft):
                draft = event
            elif not isinstance(event, Findings):
                yield event
        assert draft is not None, "a writer always ends with a draft"

        yield StageEvent(Stage.FORMATTING)
        answer = to_answer(draft, task, seconds=perf_counter() - started)
        is_kept = await self._sessions.remember(
            session.id, question=question, answer=answer, retrievals=draft.retrievals
        )
        if is_kept and (summary := topic_summary(task.history, question.text)):
            await self._sessions.summarise(session.id, summary)
        yield StageEvent(Stage.COMPLETED)
        yield AnswerEvent(answer)

    def _as_usual(self, question: Question) -> Question:
        """The operator's numbers where the question brings none of its own."""
        return replace(
            question,
            top_k=self._top_k if question.top_k == DEFAULT_TOP_K else question.top_k,
            similarity_threshold=question.similarity_threshold or self._similarity_threshold,
        )

    async def answer(self, question: Question) -> Answer:
        """The finished answer alone, for callers that show nothing meanwhile."""
        async for event in self.ask(question):
            if isinstance(event, AnswerEvent):
                return event.answer
        raise AssertionError("asking always ends with an answer")
