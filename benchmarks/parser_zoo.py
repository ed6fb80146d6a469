"""Reads real books in every format and files made to break readers, and prints how each one went."""

import argparse
import json
import re
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from core.errors import LibraryError
from core.ingestion.chunks import to_chunks
from core.ingestion.discovery import read_book
from core.ingestion.file_reading import read_file
from core.ingestion.placing import Placing

PACK = Path("../shared/evals/parser-zoo")
MAX_SECONDS = 20
MAX_MEGABYTES = 1_000
_NOT_ALPHANUMERIC = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How reading one file or folder went."""

    text: str = ""
    lessons: int = 0
    chunks: int = 0
    sentence: str = ""
    """Why it was refused, or the first warning."""
    is_refused: bool = False
    seconds: float = 0.0
    megabytes: float = 0.0


def read_one(path: Path) -> Outcome:
    """Read a book from its files to its chunks, in a process of its own."""
    started = perf_counter()
    texts: list[str] = []
    lessons = chunks = 0
    sentences: list[str] = []
    is_refused = False
    try:
        reader, files = read_book(path)
        placing = Placing("zoo")
        for source in files:
            for lesson in read_file(reader, source):
                texts.append(lesson.text)
                lessons += 1
                chunks += len(to_chunks(lesson, placing.place(lesson).place, file_hash=""))
                sentences += lesson.warnings
    except LibraryError as error:
        is_refused = True
        sentences.insert(0, error.message)
    sentence = sentences[0] if sentences else ""
    return Outcome(
        "".join(texts), lessons, chunks, sentence, is_refused, perf_counter() - started, _peak_megabytes()
    )


def judged(expected: dict[str, object], outcome: Outcome) -> str:
    """What is wrong, if anything; else "ok", or "better" where we differ from the reference to the good.

    That is: text was found where the reference has none, and what is lacking is said; or a file of which the
    reference makes a book without a letter is refused with a sentence.
    """
    wanted = [str(sentence) for sentence in _list(expected.get("must_contain"))]
    found = _squeezed(outcome.text)
    missing = [sentence for sentence in wanted if _squeezed(sentence) not in found]
    if missing:
        return f"{len(missing)} of {len(wanted)} sentences missing: {missing[0][:60]}"
    observed = expected.get("observed")
    is_empty = isinstance(observed, dict) and observed.get("chars") == 0
    if expected["expect"] == "text" and not is_empty and (outcome.is_refused or not outcome.text.strip()):
        return "no text"
    if (expected["expect"] != "text" or is_empty) and not outcome.text.strip() and not outcome.sentence:
        return "silent"
    if outcome.seconds > MAX_SECONDS or outcome.megabytes > MAX_MEGABYTES:
        return "too slow or too large"
    if (expected["expect"] == "text") != outcome.is_refused:
        return "ok"
    return "better" if outcome.sentence and (is_empty or outcome.text.strip()) else "not as expected"


def main() -> int:
    """Print one row for each file; the exit code counts the rows that are not ok."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("pack", type=Path, nargs="?", default=PACK, help="folder with expect.jsonl and corpus/")
    arguments.add_argument("--only", default="", help="read files whose name contains this")
    asked = arguments.parse_args()
    pack: Path = asked.pack
    if not (pack / "expect.jsonl").is_file():
        sys.stdout.write(f"{pack} is not here, so there is nothing to measure.\n")
        return 0
    failures = 0
    sys.stdout.write(
        "| file | expected | lessons | chunks | s | MB | result | said |\n|---|---|--:|--:|--:|--:|---|---|\n"
    )
    for line in (pack / "expect.jsonl").read_text().splitlines():
        expected = json.loads(line)
        if asked.only not in expected["file"]:
            continue
        outcome = _in_own_process(pack / "corpus" / expected["file"])
        verdict = judged(expected, outcome)
        failures += verdict not in {"ok", "better"}
        sys.stdout.write(_row(expected, outcome, verdict))
        sys.stdout.flush()
    sys.stdout.write(f"\n{failures} not ok\n")
    return min(failures, 100)


def _peak_megabytes() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        # The other counter starts with what the parent process used.
        found = re.search(r"VmHWM:\s+(\d+)", status.read_text())
        return int(found[1]) / 1024 if found else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


def _in_own_process(path: Path) -> Outcome:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(read_one, path).result(timeout=4 * MAX_SECONDS)
        except BrokenProcessPool:
            return Outcome(sentence="the process died")
        except TimeoutError:
            return Outcome(sentence="it took too long", seconds=4 * MAX_SECONDS)


def _row(expected: dict[str, object], outcome: Outcome, verdict: str) -> str:
    name = str(expected["file"])
    size = f"{outcome.lessons} | {outcome.chunks} | {outcome.seconds:.1f} | {outcome.megabytes:.0f}"
    wanted = len(_list(expected.get("must_contain")))
    expectation = f"{expected['expect']}, {wanted} sentences" if wanted else expected["expect"]
    said = outcome.sentence.replace(name.rstrip("/").rpartition("/")[2], "…")
    return f"| {name} | {expectation} | {size} | {verdict} | {said} |\n"


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _squeezed(text: str) -> str:
    return _NOT_ALPHANUMERIC.sub("", text.casefold())


if __name__ == "__main__":
    sys.exit(main())
