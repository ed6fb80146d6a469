"""Takes a large folder in, killing the process again and again; nothing may be lost, doubled or left over.

make bench-scale CORPUS=~/books/mdn
make bench-scale CORPUS=~/books/mdn ARGS="--kills 10"
"""

import argparse
import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.scale_work import Outcome, ingest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        whole = run(asked.corpus, Path(folder) / "whole", "uninterrupted")
        again = run(asked.corpus, Path(folder) / "whole", "unchanged, again")
        say(f"unchanged run: {again.seconds / whole.seconds:.1%} of the first")
        killed = kill_and_resume(asked.corpus, Path(folder) / "killed", asked.kills, asked.seed, whole.seconds)
    same = killed.fingerprint == whole.fingerprint
    say("the same chunks as without interruption" if same else "NOT THE SAME CHUNKS")
    sys.exit(0 if same and killed.is_whole else 1)


def kill_and_resume(corpus: Path, data: Path, kills: int, seed: int, seconds: float) -> Outcome:
    """Kill the process *kills* times at random moments, then let it finish."""
    chance = random.Random(seed)
    for number in range(1, kills + 1):
        moment = chance.uniform(0.02, 1.5 / kills) * seconds + 2
        process = start(corpus, data)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        say(f"kill {number} after {moment:.1f} s")
    return run(corpus, data, f"resumed after {kills} kills")


def run(corpus: Path, data: Path, name: str) -> Outcome:
    started = perf_counter()
    outcome = asyncio.run(ingest(corpus, data))
    say(f"{name}: {outcome.told(perf_counter() - started)}")
    return outcome


def start(corpus: Path, data: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "benchmarks.scale_work", str(corpus), str(data)])


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
