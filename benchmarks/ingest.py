"""How fast a folder of lessons is taken in, against LangChain and LlamaIndex on the same machine in the same run.

make bench-ingest
make bench-ingest ARGS="--corpus ~/books/mdn --rounds 1"
make bench-ingest ARGS="--embedder embedded"       the transformer; Footnote alone, to see what is not the model
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.corpus import open_corpus

ROOT = Path(__file__).parent.parent
PEERS_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
PEERS = ("LangChain", "LlamaIndex")
MOST_SECONDS = 3600

Result = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="a folder of Markdown; by default copies of the sample book")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedder", choices=("static", "embedded"), default="static")
    asked = parser.parse_args()
    found: dict[str, list[Result]] = defaultdict(list)
    with open_corpus(asked.corpus) as corpus:
        # Round by round, so that a machine that is busy for a while slows all of them.
        for _ in range(asked.rounds):
            for result in one_round(corpus, asked.embedder):
                found[result["name"]].append(result)
    print_table(found)


def one_round(corpus: Path, embedder: str) -> list[Result]:
    ours = run([sys.executable, "-m", "benchmarks.ingest_ours", str(corpus), embedder])
    if embedder != "static":
        return [ours]
    if not PEERS_PYTHON.exists():
        say("LangChain and LlamaIndex could not be installed here; Footnote is measured alone.")
        return [ours]
    peers = [run([str(PEERS_PYTHON), "-m", "benchmarks.ingest_peers", name, str(corpus)]) for name in PEERS]
    return [ours, *peers]


def run(command: list[str]) -> Result:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "FOOTNOTE_SITE_PACKAGES": next(path for path in sys.path if path.endswith("site-packages")),
        "ANONYMIZED_TELEMETRY": "False",
    }
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=MOST_SECONDS, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    result: Result = json.loads(done.stdout.splitlines()[-1])
    say(json.dumps(result))
    return result


def print_table(found: dict[str, list[Result]]) -> None:
    say("\n| | chunks | seconds | chunks/s | of it the embedder | unchanged again, s | peak MB |")
    say("|---|---|---|---|---|---|---|")
    for name, results in found.items():
        seconds = median(each["seconds"] for each in results)
        chunks = results[0]["chunks"]
        share = median(each["embedder_seconds"] / each["seconds"] for each in results)
        again = median(each["unchanged_seconds"] for each in results)
        peak = max(each["peak_mb"] for each in results)
        say(f"| {name} | {chunks} | {seconds:.1f} | {chunks / seconds:.0f} | {share:.0%} | {again:.2f} | {peak} |")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
