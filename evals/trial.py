"""The same questions with other values of some constants, beside what `make eval` found.

    python -m evals.trial core.retrieval.ordering.READING=1.8 [MODULE.NAME=VALUE …] PACK=RESULTS.jsonl …

It asks with `--remember`: what the models said before is not computed again. A cell says what the results have,
and what the other values bring. A constant can be tried that its own module reads.
"""

import argparse
import importlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from bot.cli.evaluating import evaluate
from core.evaluation.outcome import Outcome
from core.evaluation.pack import Pack, read_pack
from core.evaluation.running import read_outcomes
from core.evaluation.scores import scores

MEASURES = {
    "recall@1": "recall@1",
    "recall@5": "recall@5",
    "answer_contains_gold": "known answer",
    "answered_of_answerable": "answered",
    "refused_of_near_miss": "near refused",
    "auroc_near_miss": "near AUROC",
    "refused_of_offtopic": "off refused",
    "auroc_offtopic": "off AUROC",
    "calibration_error": "calibration",
}


def change(setting: str) -> None:
    """Give a constant, such as `core.retrieval.ordering.READING=1.8`, another value of its own type."""
    place, _, value = setting.partition("=")
    module, _, name = place.rpartition(".")
    found = importlib.import_module(module)
    setattr(found, name, type(getattr(found, name))(value))


def asked_again(pack: Pack) -> Mapping[str, Outcome]:
    """Every question of the pack, with the constants as they are now."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.jsonl"
        try:
            evaluate(pack.folder, out=results, is_remembering=True)
        except typer.Exit as ended:
            if ended.exit_code:
                raise
        return read_outcomes(results)


def row(pack: Pack, before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> str:
    """Both on the questions that both have."""
    common = [question for question in pack.questions if question.id in before and question.id in after]
    one = scores([(question, before[question.id]) for question in common])
    other = scores([(question, after[question.id]) for question in common])
    return f"| {pack.name} | " + " | ".join(_cell(one[each], other[each]) for each in MEASURES) + " |"


def table(rows: Sequence[str]) -> str:
    head = f"| pack | {' | '.join(MEASURES.values())} |\n{'|---' * (1 + len(MEASURES))}|\n"
    return head + "\n".join(rows)


def _cell(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return "–"
    return f"{before:.3f}" if round(before, 3) == round(after, 3) else f"{before:.3f} → {after:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Other values of some constants on the same questions.")
    parser.add_argument("arguments", nargs="+", metavar="MODULE.NAME=VALUE or PACK=RESULTS.jsonl")
    arguments: Sequence[str] = parser.parse_args().arguments
    packs = [each.partition("=") for each in arguments if each.endswith(".jsonl")]
    for setting in arguments:
        if not setting.endswith(".jsonl"):
            change(setting)
    rows = []
    for folder, _, results in packs:
        pack = read_pack(Path(folder))
        rows.append(row(pack, read_outcomes(Path(results)), asked_again(pack)))
    print(table(rows))


if __name__ == "__main__":
    main()
