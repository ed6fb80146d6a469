"""The same questions through what people would use instead, and a table of both.

    python -m evals.peers.compare PACK=RESULTS.jsonl … [--bench .venv-bench] [--cache DIR] [--out docs/pictures]

LangChain and LlamaIndex cut the corpus with their default splitters; their default stores compare
vectors exactly, so ranking is done here by the same arithmetic and with the same embedder. "Words" is BM25
alone and "meaning" the embedder alone, both over Footnote's own chunks. A peer has no refusal of its own: its best
score decides, with the threshold that answers 90 % of the answerable questions.
"""

import argparse
import asyncio
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from core.evaluation.outcome import Outcome, Quoted
from core.evaluation.pack import Pack, PackQuestion, read_pack
from core.evaluation.remembering import RememberingEmbedder, open_memory
from core.evaluation.running import read_outcomes
from core.evaluation.scores import scores
from core.model import Filters
from core.ports import Embedder
from core.retrieval.embedders.onnx_embedder import OnnxEmbedder
from core.retrieval.words import Words
from core.settings import Settings
from core.wiring import Core, open_core
from evals.peers.drawing import draw

DEPTH = 10
PEERS = ("langchain", "llamaindex")


@dataclass(frozen=True, slots=True)
class Line:
    """One system on one pack."""

    pack: str
    system: str
    recall_1: float | None
    recall_5: float | None
    auroc: float | None
    refused: float | None
    """Off-topic questions refused where 90 % of the answerable ones are answered."""


def to_outcome(question: PackQuestion, ranked: Sequence[tuple[Quoted, float]]) -> Outcome:
    best = ranked[0][1] if ranked else 0.0
    return Outcome(question.id, tuple(item for item, _ in ranked), "", (), best, "", False, 0.0)


def to_line(pack: Pack, system: str, outcomes: dict[str, Outcome]) -> Line:
    pairs = [(question, outcomes[question.id]) for question in pack.questions if question.id in outcomes]
    measured = scores(pairs)
    known = sorted(outcome.confidence for question, outcome in pairs if question.is_answerable)
    off = [outcome.confidence for question, outcome in pairs if question.is_off_topic]
    threshold = known[len(known) // 10] if known else 0.0
    refused = sum(each < threshold for each in off) / len(off) if off else None
    return Line(pack.name, system, measured["recall@1"], measured["recall@5"], measured["auroc_offtopic"], refused)


async def peer_outcomes(pack: Pack, peer: str, embedder: Embedder, bench: Path, cache: Path) -> dict[str, Outcome]:
    """A library's chunks, ranked by the cosine of the same embedder."""
    place = cache / f"{pack.name}-{peer}-{sha256(str(pack.folder).encode()).hexdigest()[:8]}"
    chunks_file, vectors_file = place.with_suffix(".jsonl"), place.with_suffix(".npy")
    if not chunks_file.exists():
        script = Path(__file__).with_name("split.py")
        command = [str(bench / "bin" / "python"), str(script), peer, str(pack.corpus), str(chunks_file)]
        await asyncio.to_thread(subprocess.run, command, check=True)
    rows = [json.loads(line) for line in chunks_file.read_text(encoding="utf-8").splitlines()]
    chunks = [Quoted(row["file"], row["text"]) for row in rows]
    if not vectors_file.exists():
        np.save(vectors_file, np.stack(await embedder.embed_chunks([chunk.text for chunk in chunks])))
    vectors = np.load(vectors_file)
    outcomes = {}
    for question in pack.questions:
        cosines = vectors @ await embedder.embed_query(question.text)
        best = np.argsort(-cosines)[:DEPTH]
        outcomes[question.id] = to_outcome(question, [(chunks[at], float(cosines[at])) for at in best])
    return outcomes


async def single_outcomes(core: Core, pack: Pack, system: str, embedder: Embedder) -> dict[str, Outcome]:
    """Footnote's own chunks, found by words alone or by meaning alone."""
    scope, words = Filters(books=(pack.name,)), Words()
    outcomes = {}
    for question in pack.questions:
        if system == "words":
            hits = await core.index.search_words(words.of_query(question.text), scope, limit=DEPTH)
        else:
            vector = await embedder.embed_query(question.text)
            hits = await core.index.search_dense(vector, scope, limit=DEPTH)
        chunks = await core.library.chunks([hit.chunk_id for hit in hits])
        found = {hit.chunk_id: hit.score for hit in hits}
        ranked = [(Quoted(chunk.source_file, chunk.text), found[chunk.id]) for chunk in chunks.values()]
        outcomes[question.id] = to_outcome(question, ranked)
    return outcomes


async def compare(pack: Pack, results: Path, bench: Path, cache: Path, data: Path) -> list[Line]:
    """Every system on the questions that *results* has."""
    ours = read_outcomes(results)
    pack = replace(pack, questions=tuple(each for each in pack.questions if each.id in ours))
    lines = [to_line(pack, "Footnote", dict(ours))]
    with open_memory(data) as memory:
        # All of them search with the same vector of a question.
        embedder = RememberingEmbedder(OnnxEmbedder(), memory)
        async with open_core(Settings(data_dir=data)) as core:
            for system in ("words", "meaning"):
                lines.append(to_line(pack, system, await single_outcomes(core, pack, system, embedder)))
        for peer in PEERS if (bench / "bin" / "python").exists() else ():
            lines.append(to_line(pack, peer, await peer_outcomes(pack, peer, embedder, bench, cache)))
        await embedder.close()
    return lines


def shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def table(lines: Sequence[Line]) -> str:
    titles = ("pack", "system", "recall@1", "recall@5", "off-topic AUROC", "refused at 90 % answered")
    head = f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|\n"
    cells = [
        f"| {line.pack} | {line.system} | {shown(line.recall_1)} | {shown(line.recall_5)} "
        f"| {shown(line.auroc)} | {shown(line.refused)} |"
        for line in lines
    ]
    return head + "\n".join(cells)


async def main() -> None:
    parser = argparse.ArgumentParser(description="Footnote beside what people would use instead.")
    parser.add_argument("results", nargs="+", metavar="PACK=RESULTS.jsonl")
    parser.add_argument("--bench", type=Path, default=Path(".venv-bench"))
    parser.add_argument("--cache", type=Path, default=Path("footnote-data/evaluation/peers"))
    parser.add_argument("--data", type=Path, default=Path("footnote-data/evaluation"))
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    lines: list[Line] = []
    for pair in given.results:
        folder, _, results = pair.partition("=")
        pack = read_pack(Path(folder))
        place = sha256(str(pack.folder).encode()).hexdigest()[:12]
        data = given.data / f"{pack.name}-{place}"
        lines += await compare(pack, Path(results), given.bench, given.cache, data)
        print(table(lines[-5:]), flush=True)
    print("\n" + table(lines))
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "peers.svg").write_text(draw([(line.pack, line.system, line.recall_5) for line in lines]))


if __name__ == "__main__":
    asyncio.run(main())
