"""Small drafts for the tests of answering."""

from collections.abc import Sequence

from core.model import Filters, FoundChunk, History, Question, Session, SessionKey, Task
from core.model.book import Place
from tests.core.store.making import make_chunks


def make_found(texts: Sequence[str], *, score: float = 0.9, chapter: int = 1) -> tuple[FoundChunk, ...]:
    """A found chunk for each text, in reading order."""
    chunks = make_chunks(texts, Place("book", "ros2", chapter, 1), source_file=f"{chapter}.md")
    return tuple(FoundChunk(chunk, score=score, cosine=0.8) for chunk in chunks)


def make_task(text: str = "What is a node?") -> Task:
    session = Session("s1", SessionKey.private(), "book", "extractive", "", "")
    return Task(Question(text), History(session), Filters(books=("book",)))
