"""A few passages of the sample book, and a search over them that counts words in common."""

import re
from collections.abc import Sequence

from core.model import (
    Chunk,
    Filters,
    Findings,
    FoundChunk,
    History,
    Place,
    Question,
    Session,
    SessionKey,
    Task,
    Turn,
)
from core.model.book import chunk_id, content_hash, parent_id

RELIABILITY = (
    "With reliable delivery the middleware repeats a message until the receiver has confirmed it. With "
    "best effort a message is sent once, and if it is lost, it is lost. Reliable sounds better, but on "
    "a bad wireless link it can be worse: repeats of old images take the place of new ones, and the "
    "picture falls further and further behind."
)
DEPTH = (
    "Keep last with a depth of N stores the N newest messages. The default depth is 10. A large depth "
    "does not make a slow subscriber faster; it only makes its data older. If you process images slowly"
    " and want the newest one, use a depth of 1. In rclpy the sensor profile is called "
    "`qos_profile_sensor_data`."
)
TRAP = (
    "The classic trap is the fourth row: a best-effort publisher and a reliable subscriber never "
    "connect. A lidar driver publishes with the sensor data profile, you subscribe with the plain "
    "number 10, which means reliable, and nothing arrives.\n\n```bash\nros2 topic info /scan "
    "--verbose\nros2 topic echo /scan --qos-reliability best_effort\n```\n"
)
SECTIONS = {"Reliability": RELIABILITY, "History and depth": DEPTH, "When do two ends connect?": TRAP}
PLACE = Place(book="robots", module="ros2", chapter=2, lesson=3)


def to_chunk(text: str, section: str, *, page: str = "Quality of service") -> Chunk:
    """A chunk that stands alone in its lesson."""
    digest = content_hash(text)
    return Chunk(
        id=chunk_id(PLACE, digest),
        text=text,
        place=PLACE,
        parent_id=parent_id(PLACE),
        index=0,
        total=1,
        previous_id=None,
        next_id=None,
        page_title=page,
        section=(page, section),
        breadcrumb=f"ROS 2 › Building systems › {page}",
        url=f"https://book.example/qos#{section.lower().replace(' ', '-')}",
        source_file="qos.md",
        source_file_hash="0" * 64,
        content_hash=digest,
    )


def sample_chunks() -> list[Chunk]:
    return [to_chunk(text, section) for section, text in SECTIONS.items()]


class WordFinder:
    """Searches its chunks by words in common; keeps what it was asked."""

    def __init__(self, chunks: Sequence[Chunk] | None = None) -> None:
        self.chunks = sample_chunks() if chunks is None else list(chunks)
        self.queries: list[str] = []
        self.scopes: list[Filters] = []
        self.error: Exception | None = None

    async def find(self, task: Task) -> Findings:
        query = f"{task.question.text} {task.question.selected_text or ''}".strip()
        return await self.search(query, task.scope, limit=task.question.top_k)

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        self.queries.append(query)
        self.scopes.append(scope)
        if self.error is not None:
            raise self.error
        asked = _words(query)
        scored = [(len(asked & _words(chunk.text)) / max(1, len(asked)), chunk) for chunk in self.chunks]
        ranked = sorted(scored, key=lambda pair: -pair[0])[:limit]
        found = tuple(FoundChunk(chunk, score=round(score, 3)) for score, chunk in ranked if score > 0)
        return Findings(
            query,
            found,
            len(found),
            scope,
            answerability=0.9 if found else 0.0,
            is_everything=len(found) == len(self.chunks),
        )


def to_task(
    text: str = "What is the default depth?",
    *,
    turns: Sequence[Turn] = (),
    question: Question | None = None,
    summary: str | None = None,
) -> Task:
    """A question in a session, with the sample book to be read."""
    key = SessionKey("test", "group", "channel", "thread")
    session = Session(
        "s1", key, None, "model", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", topic_summary=summary
    )
    return Task(question or Question(text), History(session, turns=tuple(turns)), Filters(books=("robots",)))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9_]+", text.lower())) - {"the", "a", "is", "of", "and", "to", "what", "it", "in"}
