"""What is answered and what is refused at each threshold of the confidence, from results of `footnote eval`.

    python -m evals.frontier PACK=RESULTS.jsonl …

A cell says: answered of the answerable / refused of the near misses / refused of the off-topic questions.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.evaluation.calibration import class_of
from core.evaluation.outcome import Outcome
from core.evaluation.pack import PackQuestion, read_pack
from core.evaluation.running import read_outcomes

THRESHOLDS = (0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
Pair = tuple[PackQuestion, Outcome]


def read_pairs(argument: str) -> tuple[str, list[Pair]]:
    """A pack's name and its questions with their outcomes."""
    folder, _, results = argument.partition("=")
    pack = read_pack(Path(folder))
    outcomes = read_outcomes(Path(results))
    return pack.name, [(each, outcomes[each.id]) for each in pack.questions if each.id in outcomes]


def cell(pairs: Sequence[Pair], threshold: float) -> str:
    """What a threshold does to each class of question; a dash where there is none."""
    shares = [
        _share([outcome.confidence >= threshold for question, outcome in pairs if class_of(question) == kind])
        for kind in ("answerable", "near miss", "off topic")
    ]
    answered, near, off = shares
    refused = [None if share is None else 1 - share for share in (near, off)]
    return " / ".join(_shown(share) for share in (answered, *refused))


def table(packs: Sequence[tuple[str, Sequence[Pair]]]) -> str:
    head = f"| pack | {' | '.join(f'{threshold:.2f}' for threshold in THRESHOLDS)} |\n{'|---' * 8}|\n"
    lines = [f"| {name} | {' | '.join(cell(pairs, each) for each in THRESHOLDS)} |" for name, pairs in packs]
    return head + "\n".join(lines)


def _share(claims: Sequence[bool]) -> float | None:
    return sum(claims) / len(claims) if claims else None


def _shown(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}".lstrip("0")


def main() -> None:
    parser = argparse.ArgumentParser(description="Answered and refused at each threshold.")
    parser.add_argument("results", nargs="+", metavar="PACK=RESULTS.jsonl")
    packs = [read_pairs(each) for each in parser.parse_args().results]
    every = [pair for _, pairs in packs for pair in pairs]
    print(table([*packs, ("all", every)]))


if __name__ == "__main__":
    main()
