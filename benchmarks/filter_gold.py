"""Searches a Docusaurus book with filters: does every hit lie in the folder that the filter means?"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.reader_gold import PACK
from core.evaluation.matching import hits
from core.evaluation.outcome import Quoted
from core.evaluation.pack import Gold
from core.ingestion.request import IngestRequest
from core.model import Filters
from core.settings import Settings
from core.wiring import open_core

QUESTIONS = "filters.dev.jsonl"
BOOK = "filtered"
LIMIT = 10
DEPTH = 5


async def measure(pack: Path, data: Path) -> int:
    """How many hits lie elsewhere."""
    rows = [json.loads(line) for line in (pack / QUESTIONS).read_text(encoding="utf-8").splitlines()]
    found = outside = known = 0
    async with open_core(Settings(data_dir=data, embedder="static")) as core:
        await core.ingestion.ingest(IngestRequest(str(pack / "corpus"), BOOK))
        for row in rows:
            scope = Filters(books=(BOOK,), **row["filter"])
            findings = await core.retriever.search(row["question"], scope, limit=LIMIT)
            retrieved = [Quoted(hit.chunk.source_file, hit.chunk.text) for hit in findings.chunks]
            elsewhere = [hit.file for hit in retrieved if not hit.file.startswith(row["must_match_prefix"])]
            for file in elsewhere:
                sys.stdout.write(f"{row['id']}: {file} is outside the filter\n")
            gold = [Gold(**each) for each in row["gold"]]
            found, outside = found + len(retrieved), outside + len(elsewhere)
            known += any(hits(hit, gold) for hit in retrieved[:DEPTH])
    sys.stdout.write(f"{found - outside} of {found} hits of {len(rows)} filtered searches are inside the filter; ")
    sys.stdout.write(f"{known} searches have the right passage among the first {DEPTH} (static embedder)\n")
    return outside


def main() -> int:
    """Print what lies outside, and a summary; the exit code counts what does."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("pack", type=Path, nargs="?", default=PACK, help=f"folder with {QUESTIONS} and corpus/")
    pack: Path = arguments.parse_args().pack
    if not (pack / QUESTIONS).is_file():
        sys.stdout.write(f"{pack} is not here, so there is nothing to measure.\n")
        return 0
    with tempfile.TemporaryDirectory() as data:
        return min(asyncio.run(measure(pack, Path(data))), 100)


if __name__ == "__main__":
    sys.exit(main())
