"""A pack: a book with questions whose answers are known."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import LibraryError
from core.model import Turn

CORPUS = "corpus"
QUESTIONS = "questions.dev.jsonl"


@dataclass(frozen=True, slots=True)
class Gold:
    """Where the answer stands: a file of the corpus and, where known, the words."""

    file: str
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class PackQuestion:
    """One question of a pack with what is known about its answer."""

    id: str
    text: str
    type: str
    is_answerable: bool
    answers: tuple[str, ...] = ()
    gold: tuple[Gold, ...] = ()
    history: tuple[Turn, ...] = ()
    source: str | None = None

    @property
    def is_off_topic(self) -> bool:
        return self.type == "offtopic"

    @property
    def is_near_miss(self) -> bool:
        return not self.is_answerable and not self.is_off_topic


@dataclass(frozen=True, slots=True)
class Pack:
    """A folder with `corpus/` and questions."""

    folder: Path
    questions: tuple[PackQuestion, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def corpus(self) -> Path:
        return self.folder / CORPUS


def read_pack(folder: Path, *, questions: Path | None = None) -> Pack:
    """The pack in *folder*, with other *questions* where they are given.

    Raises:
        LibraryError: there is no corpus or no question file; the message says where it was looked for.
    """
    folder = folder.resolve()
    path = questions or folder / QUESTIONS
    if not (folder / CORPUS).is_dir():
        raise LibraryError(f"{folder} is no pack: it has no folder “{CORPUS}”.")
    if not path.is_file():
        raise LibraryError(f"There is no question file {path}.")
    with path.open(encoding="utf-8") as lines:
        return Pack(folder, tuple(_to_question(json.loads(line)) for line in lines if line.strip()))


def _to_question(row: Mapping[str, object]) -> PackQuestion:
    return PackQuestion(
        id=str(row["id"]),
        text=str(row["question"]),
        type=str(row["type"]),
        is_answerable=bool(row["answerable"]),
        answers=tuple(str(answer) for answer in _rows(row.get("answers"))),
        gold=tuple(Gold(gold["file"], gold.get("quote") or None) for gold in _rows(row.get("gold"))),
        history=tuple(Turn(turn["q"], turn["a"]) for turn in _rows(row.get("history"))),
        source=str(row["src"]) if row.get("src") else None,
    )


def _rows(value: object) -> list[dict[str, str]]:
    return list(value) if isinstance(value, list) else []
