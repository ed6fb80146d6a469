"""Takes a large folder in, killing the process again and again; nothing may be lost, doubled or left over.

make bench-scale CORPUS=~/books/mdn
make bench-scale CORPUS=~/books/mdn ARGS="--books 3"     the folder as three books, each in words of its own
"""

import argparse
import json
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.scale_work import Outcome

_LONG_WORD = re.compile(r"(?<![\w/-])[a-z]{6,}(?![\w/:-])")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--books", type=int, default=1)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        shelf = make_shelf(asked.corpus, Path(folder) / "shelf", asked.books)
        whole = run(shelf, Path(folder) / "whole", "uninterrupted")
        again = run(shelf, Path(folder) / "whole", "unchanged, again")
        say(f"unchanged run: {again.seconds / whole.seconds:.1%} of the first")
        killed = kill_and_resume(shelf, Path(folder) / "killed", asked.kills, asked.seed)
    same = killed.fingerprint == whole.fingerprint
    say("the same chunks as without interruption" if same else "NOT THE SAME CHUNKS")
    sys.exit(0 if same and killed.is_whole else 1)


def make_shelf(corpus: Path, shelf: Path, books: int) -> Path:
    """A folder with *books* folders in it: the corpus as it is, and again with every long word changed.

    No passage of one book is then the same as one of another, nor does a vector fit both.
    """
    shelf.mkdir()
    (shelf / "book-0").symlink_to(corpus.resolve(), target_is_directory=True)
    for number in range(1, books):
        for file in corpus.rglob("*.md"):
            copy = shelf / f"book-{number}" / file.relative_to(corpus)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_bytes().decode("utf-8", errors="surrogateescape")
            copy.write_bytes(_LONG_WORD.sub(rf"\g<0>{number}", text).encode("utf-8", errors="surrogateescape"))
    return shelf


def kill_and_resume(corpus: Path, data: Path, kills: int, seed: int) -> Outcome:
    """Kill the process *kills* times at random points of its way, then let it finish."""
    chance = random.Random(seed)
    for number, share in enumerate(sorted(chance.random() for _ in range(kills)), 1):
        with start(corpus, data) as process:
            assert process.stdout is not None
            reached = next((line for line in process.stdout if line.startswith("{") or float(line) >= share), "")
            process.send_signal(signal.SIGKILL)
        say(f"kill {number} at {share:.0%} of the files, told at {reached.strip()[:6]}")
    return run(corpus, data, f"resumed after {kills} kills")


def run(corpus: Path, data: Path, name: str) -> Outcome:
    started = perf_counter()
    with start(corpus, data) as process:
        printed, _ = process.communicate()
    outcome = Outcome(**json.loads(printed.splitlines()[-1]))
    say(f"{name}: {outcome.told(perf_counter() - started)}")
    return outcome


def start(corpus: Path, data: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "benchmarks.scale_work", str(corpus), str(data)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
