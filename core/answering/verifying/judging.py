"""Whether the chunks a claim cites bear it out, checked without any model."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.answering.verifying.attributing import stolen_from
from core.answering.verifying.evidence import Evidence, Window, content_stems
from core.answering.verifying.fact_checks import (
    missing_identifier,
    missing_name,
    missing_quote,
    missing_symbol,
    wrong_number,
)
from core.answering.verifying.facts import numbers, plain
from core.answering.verifying.faults import Fault
from core.answering.verifying.polarity import clauses, compares_backwards, is_negated, opposite_in
from core.answering.verifying.swapping import swapped_word
from core.answering.verifying.tables import misplaced_row
from core.retrieval.words import Words

LEAST_COVERAGE = 0.2
"""Below this share of its words found together, a claim is not supported, whatever the embedder says."""
SURE_COVERAGE = 0.9
"""From this share on, the words alone are enough; below it the embedder has the last word."""
USEFUL_COVERAGE = 0.15
"""A chunk that has less of a claim's words than this does not help it."""
LEAST_CLAUSE = 0.25
LONG_CLAUSE = 3
"""A clause of so many words must itself be found, so that nothing unsupported hangs on a supported one."""

NEAR_COPY = 0.6
"""From this share of words in one sentence on, a claim repeats it, and a changed word is a changed meaning."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n|\|")
_CLAUSE = re.compile(
    r"(?:,|;|:|—|–| - )\s*"
    r"(?:and|but|so|which|while|because|since|whereas|making|meaning|although|where|with|an?)\b"
    r"|;|\s+because\s+|\s+whereas\s+|\s+so that\s+|—",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What holding a claim against its chunks brought. Without a *fault* it is borne out."""

    fault: Fault | None
    detail: str = ""
    coverage: float = 0.0
    windows: tuple[tuple[int, Window], ...] = ()
    """For each mark that helps, the stretch of its chunk that does."""

    @property
    def reason(self) -> str:
        assert self.fault is not None
        return f"{self.fault} ({self.detail})" if self.detail else str(self.fault)

    @property
    def is_unsure(self) -> bool:
        """Too few words in common to be sure, too many to be wrong: the embedder decides."""
        return self.fault is None and self.coverage < SURE_COVERAGE

    @property
    def is_refutable(self) -> bool:
        """Nothing but too few words in common speaks against it: a very close meaning can outweigh that."""
        return self.fault is Fault.UNSUPPORTED and bool(self.windows)


def judge_claim(
    claim: str,
    cited: Sequence[tuple[int, Evidence]],
    *,
    words: Words,
    asked: str = "",
    things: Collection[str] = (),
    shelf: Sequence[Evidence] = (),
) -> Judgement:
    """Hold *claim* against the chunks it cites.

    *asked* is what the member wrote, which a claim may refer to; *things* are what all passages speak of; the
    *shelf* has them all.
    """
    stems = content_stems(claim, words)
    if not stems and not _stands_in(claim, cited):
        return Judgement(Fault.UNSUPPORTED)
    # Numbers in words ("these two") seldom say where to look.
    figures = {number for number in numbers(claim) if number in claim}
    windows = _windows(stems, figures, cited)
    if not windows:
        return Judgement(Fault.UNSUPPORTED)
    near = "\n".join(evidence.around(window) for number, window in windows for n, evidence in cited if n == number)
    coverage = _coverage(stems, near, windows, words)
    for fault, detail in (
        wrong_number(claim, near, windows, cited, asked=asked, words=words),
        missing_identifier(claim, cited),
        missing_name(claim, cited, words),
        missing_quote(claim, cited, asked),
        missing_symbol(claim, near),
        _denied(claim, stems, windows, words),
        _swapped(stems, windows, cited, things, words),
        _stolen(claim, cited, shelf, words),
        _uncovered(claim, stems, coverage, cited, words),
    ):
        if fault is not None:
            return Judgement(fault, detail, coverage, windows)
    return Judgement(None, "", coverage, windows)


def _stands_in(claim: str, cited: Sequence[tuple[int, Evidence]]) -> bool:
    """Whether a claim without words to compare stands in a chunk letter by letter."""
    wanted = plain(claim).strip(" .!?。।:-*")
    return bool(wanted) and any(wanted in evidence.plain_text for _, evidence in cited)


def _windows(
    stems: Sequence[str], figures: Collection[str], cited: Sequence[tuple[int, Evidence]]
) -> tuple[tuple[int, Window], ...]:
    """The best stretch of each chunk; a chunk that adds no word of the claim is left out."""
    found = [
        (number, window) for number, each in cited if (window := each.best_window(stems, figures)) is not None
    ]
    found.sort(key=lambda pair: -pair[1].coverage)
    useful = [pair for pair in found if pair[1].coverage >= USEFUL_COVERAGE]
    return tuple(useful or found[:1])


def _coverage(stems: Sequence[str], near: str, windows: Sequence[tuple[int, Window]], words: Words) -> float:
    if not stems:
        return 1.0
    if len(windows) == 1:
        return windows[0][1].coverage
    said = set(words.of_text(near))
    return sum(stem in said for stem in stems) / len(stems)


def _denied(
    claim: str, stems: Sequence[str], windows: Sequence[tuple[int, Window]], words: Words
) -> tuple[Fault | None, str]:
    """Whether the best stretch has the claim's words but the opposite sense."""
    window = windows[0][1]
    if window.coverage < 0.5:
        return None, ""
    if is_negated(claim) != _is_denial(set(stems), window.text, words, is_sought=is_negated(claim)):
        return Fault.NEGATED, ""
    if opposite := opposite_in(claim, window.text):
        return Fault.NEGATED, opposite
    return (Fault.NEGATED, "than") if compares_backwards(claim, window.text) else (None, "")


def _is_denial(stems: set[str], text: str, words: Words, *, is_sought: bool) -> bool:
    """Whether what a passage says with the claim's words is a denial.

    A claim that denies needs one clause that does so too; for one that asserts, the clause that has most of
    its words decides.
    """
    parts = [
        (len(stems & set(words.of_text(part))), is_negated(part))
        for sentence in _SENTENCE.split(text)
        for part in clauses(sentence)
    ]
    if is_sought:
        return any(shared and denies for shared, denies in parts)
    most = max((shared for shared, _ in parts), default=0)
    return bool(parts) and all(denies for shared, denies in parts if shared == most)


def _swapped(
    stems: Sequence[str],
    windows: Sequence[tuple[int, Window]],
    cited: Sequence[tuple[int, Evidence]],
    things: Collection[str],
    words: Words,
) -> tuple[Fault | None, str]:
    """Whether one sentence says nearly the same of something else."""
    number, window = windows[0]
    evidence = next(each for n, each in cited if n == number)
    run = evidence.usable[window.first : window.last + 1]
    best = max(run, key=lambda sentence: len(sentence.stems & set(stems)))
    if len(best.stems & set(stems)) / max(1, len(set(stems))) < NEAR_COPY:
        return None, ""
    swapped = swapped_word(
        stems,
        content_stems(best.text, words),
        things=evidence.things | set(things),
        nearby=set(words.of_text(evidence.around(window))),
    )
    return (Fault.SWAPPED, swapped) if swapped else (None, "")


def _stolen(
    claim: str, cited: Sequence[tuple[int, Evidence]], shelf: Sequence[Evidence], words: Words
) -> tuple[Fault | None, str]:
    """Whether a passage says it of another thing, however the claim words it."""
    passages = [evidence for _, evidence in cited]
    rival = misplaced_row(claim, passages) or stolen_from(claim, passages, shelf, words)
    return (Fault.SWAPPED, rival) if rival else (None, "")


def _uncovered(
    claim: str, stems: Sequence[str], coverage: float, cited: Sequence[tuple[int, Evidence]], words: Words
) -> tuple[Fault | None, str]:
    """Whether the claim, or a longer clause of it, shares too little with any stretch of its chunks."""
    if stems and coverage < LEAST_COVERAGE:
        return Fault.UNSUPPORTED, ""
    for clause in _CLAUSE.split(claim):
        inner = content_stems(clause, words)
        if len(inner) >= LONG_CLAUSE and _best_coverage(inner, cited) < LEAST_CLAUSE:
            return Fault.UNSUPPORTED, clause.strip()[:80]
    return None, ""


def _best_coverage(stems: Sequence[str], cited: Sequence[tuple[int, Evidence]]) -> float:
    windows = [evidence.best_window(stems) for _, evidence in cited]
    return max((window.coverage for window in windows if window is not None), default=0.0)
