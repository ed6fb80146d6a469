"""What one question of a pack brought, as one line of the results file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.answering.extractive_writer import MODEL as EXTRACTIVE


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of one file of the corpus: a retrieved chunk or a cited quote."""

    file: str
    text: str
    score: float = 0.0
    cosine: float | None = None
    rerank: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one question, with all it rests on."""

    id: str
    retrieved: tuple[Quoted, ...]
    answer: str
    citations: tuple[Quoted, ...]
    confidence: float
    confidence_level: str
    should_answer: bool
    ms: float
    held_back: tuple[Quoted, ...] = ()
    """What a refusal would have quoted, to see whether it was right to refuse."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """What the confidence was computed from, for fitting it anew."""
    model_ms: float | None = None
    """The part of it that the embedder and the reranker took."""
    writer: str = EXTRACTIVE
    """Who wrote the answer: "extractive" or the model's name."""
    tokens_used: int = 0
    cost_usd: float | None = None

    def to_line(self) -> str:
        """One line of JSON, in the field names that score scripts read."""
        row: dict[str, object] = {
            "id": self.id,
            "retrieved": [_to_row(item) for item in self.retrieved],
            "answer": self.answer,
            "citations": [{"file": item.file, "quote": item.text} for item in self.citations],
            "confidence": round(self.confidence, 6),
            "confidence_level": self.confidence_level,
            "should_answer": self.should_answer,
            "ms": round(self.ms, 1),
        }
        if self.held_back:
            row["held_back"] = [{"file": item.file, "quote": item.text} for item in self.held_back]
        if self.signals:
            row["signals"] = {name: round(value, 5) for name, value in self.signals.items()}
        if self.model_ms is not None:
            row["model_ms"] = round(self.model_ms, 1)
        if self.writer != EXTRACTIVE:
            row |= {"writer": self.writer, "tokens_used": self.tokens_used, "cost_usd": self.cost_usd}
        return json.dumps(row, ensure_ascii=False)

    @classmethod
    def from_line(cls, line: str) -> "Outcome":
        """The outcome that a line was written from.

        Raises:
            ValueError: the line is broken, such as the last one of a run that was killed.
        """
        try:
            row = json.loads(line)
            return cls(
                id=row["id"],
                retrieved=tuple(Quoted(**item) for item in row["retrieved"]),
                answer=row["answer"],
                citations=tuple(Quoted(item["file"], item["quote"]) for item in row["citations"]),
                confidence=row["confidence"],
                confidence_level=row["confidence_level"],
                should_answer=row["should_answer"],
                ms=row["ms"],
                held_back=tuple(Quoted(item["file"], item["quote"]) for item in row.get("held_back", ())),
                signals=row.get("signals", {}),
                model_ms=row.get("model_ms"),
                writer=row.get("writer", EXTRACTIVE),
                tokens_used=row.get("tokens_used", 0),
                cost_usd=row.get("cost_usd"),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a line of results: {error}") from error


def _to_row(item: Quoted) -> dict[str, object]:
    row = {"file": item.file, "text": item.text, "score": round(item.score, 4)}
    measured = {"cosine": item.cosine, "rerank": item.rerank}
    return row | {name: round(value, 4) for name, value in measured.items() if value is not None}
