"""The nouns: what a member asks, what the books hold, what is answered and remembered."""

from core.model.answer import Answer, Citation, Confidence, ConfidenceLevel, NearSection
from core.model.book import (
    BOOK_NAMESPACE,
    Book,
    Chunk,
    Counts,
    Layer,
    Level,
    Place,
    chunk_id,
    parent_id,
)
from core.model.events import AnswerEvent, AskEvent, Stage, StageEvent, TextEvent
from core.model.found import Draft, Findings, FoundChunk, FoundSentence, Task
from core.model.question import Filters, Question, Selection
from core.model.search import SearchHit, SearchQuery, SearchResults
from core.model.session import LOCAL_GROUP, History, Message, Retrieval, Role, Session, SessionKey, Turn
from core.model.sparse_vector import SparseVector

__all__ = [
    "BOOK_NAMESPACE",
    "LOCAL_GROUP",
    "Answer",
    "AnswerEvent",
    "AskEvent",
    "Book",
    "Chunk",
    "Citation",
    "Confidence",
    "ConfidenceLevel",
    "Counts",
    "Draft",
    "Filters",
    "Findings",
    "FoundChunk",
    "FoundSentence",
    "History",
    "Layer",
    "Level",
    "Message",
    "NearSection",
    "Place",
    "Question",
    "Retrieval",
    "Role",
    "SearchHit",
    "SearchQuery",
    "SearchResults",
    "Selection",
    "Session",
    "SessionKey",
    "SparseVector",
    "Stage",
    "StageEvent",
    "Task",
    "TextEvent",
    "Turn",
    "chunk_id",
    "parent_id",
]
