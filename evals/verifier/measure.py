"""How many right sentences the verifier keeps and how many wrong ones it catches.

Run it with `python -m evals.verifier.measure`.

The sentences are about the sample book. Each cites the chunk that holds the words of its fourth column; two
chunks of the same lesson lie on the shelf beside it, as after a search. Rules and thresholds were chosen by
looking at dev and free (worded more freely, as models write); the others were not looked at.
"""

import argparse
import asyncio
import csv
import sys
from dataclasses import dataclass
from pathlib import Path

from core.answering.verifying import Verifier
from core.ingestion.chunks import to_chunks
from core.ingestion.discovery import read_book
from core.ingestion.file_reading import read_file
from core.model import Chunk, FoundChunk, Place
from core.ports import Embedder
from core.retrieval.embedders import OnnxEmbedder

HERE = Path(__file__).parent
BOOK = HERE.parent.parent / "sample_book"
PARTS = ("dev", "unseen", "free", "free, unseen", "entities", "entities, unseen")
KINDS = ("good", "number", "entity", "negation", "addition", "marker")


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, what is wrong with it, and the chunks it is held against; it cites the first."""

    kind: str
    sentence: str
    chunks: tuple[Chunk, ...]
    part: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the verifier made of a case."""

    case: Case
    was_flagged: bool
    reason: str


def read_cases() -> list[Case]:
    """Every sentence with its chunks."""
    lessons = _chunks_by_file()
    cases = []
    with (HERE / "sentences.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            chunks = lessons[row["file"]]
            cited = next(chunk for chunk in chunks if row["near"] in chunk.text)
            others = [chunk for chunk in chunks if chunk is not cited]
            shelf = (cited, *others) if row["kind"] == "marker" else (cited, *others[:2])
            cases.append(Case(row["kind"], row["sentence"], shelf, part=row["part"]))
    return cases


def _chunks_by_file() -> dict[str, list[Chunk]]:
    reader, files = read_book(BOOK)
    found: dict[str, list[Chunk]] = {}
    for number, source in enumerate(files):
        for lesson in read_file(reader, source):
            place = Place(book="sample", chapter=number)
            found.setdefault(Path(source.path).stem, []).extend(to_chunks(lesson, place, file_hash="0"))
    return found


async def measure(embedder: Embedder | None) -> list[Outcome]:
    """Hold every case against its chunks."""
    verifier = Verifier(embedder=embedder)
    outcomes = []
    for case in read_cases():
        shelf = [FoundChunk(chunk, score=1.0) for chunk in case.chunks]
        draft = f"{case.sentence[:-1]} [1]."
        (verdict, *_) = (await verifier.examine(draft, shelf)).verdicts
        is_flagged = not verdict.is_kept or verdict.was_remarked
        outcomes.append(Outcome(case, is_flagged, str(verdict.fault or ("remarked" if is_flagged else ""))))
    return outcomes


def table(outcomes: list[Outcome]) -> str:
    """One line a kind, then precision and recall of catching the wrong ones."""
    lines = [f"| sentences | {' | '.join(PARTS)} | all |", "|---" * (len(PARTS) + 2) + "|"]
    for kind in KINDS:
        name = "right, kept" if kind == "good" else f"wrong ({kind}), caught"
        lines.append(f"| {name} | " + " | ".join(_share(part, kind) for part in _parts(outcomes)) + " |")
    for name, rate in (("precision", _precision), ("recall", _recall)):
        lines.append(f"| **{name}** | " + " | ".join(f"**{rate(part):.2f}**" for part in _parts(outcomes)) + " |")
    return "\n".join(lines)


def _parts(outcomes: list[Outcome]) -> list[list[Outcome]]:
    """The outcomes of each part, then all of them."""
    return [[each for each in outcomes if each.case.part == part] for part in PARTS] + [outcomes]


def _share(outcomes: list[Outcome], kind: str) -> str:
    flags = [outcome.was_flagged for outcome in outcomes if outcome.case.kind == kind]
    right = sum(flag == (kind != "good") for flag in flags)
    return f"{right} / {len(flags)}"


def _precision(outcomes: list[Outcome]) -> float:
    flagged = [outcome for outcome in outcomes if outcome.was_flagged]
    return sum(outcome.case.kind != "good" for outcome in flagged) / max(1, len(flagged))


def _recall(outcomes: list[Outcome]) -> float:
    wrong = [outcome for outcome in outcomes if outcome.case.kind != "good"]
    return sum(outcome.was_flagged for outcome in wrong) / max(1, len(wrong))


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words-only", action="store_true", help="without the embedder")
    parser.add_argument("--show", choices=PARTS, help="print each mistake of one part")
    options = parser.parse_args()
    embedder = None if options.words_only else OnnxEmbedder()
    outcomes = await measure(embedder)
    if embedder is not None:
        await embedder.close()
    for outcome in outcomes:
        is_wrong = outcome.was_flagged == (outcome.case.kind == "good")
        if is_wrong and options.show == outcome.case.part:
            sys.stdout.write(f"{outcome.case.kind:9} {outcome.reason:40} {outcome.case.sentence}\n")
    sys.stdout.write(table(outcomes) + "\n")


if __name__ == "__main__":
    asyncio.run(_main())
