"""Whether the chunks a claim cites bear it out, checked without any model."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.answering.evidence import Evidence, Window, content_stems
from core.answering.facts import identifiers, names, numbers, plain, quantities, quoted, symbols
from core.answering.polarity import clauses, compares_backwards, is_negated, opposite_in
from core.answering.swapping import swapped_word
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
NUMBER_COPY = 0.8
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n|\|")
_CLAUSE = re.compile(
    r"(?:,|;|:|—|–| - )\s*"
    r"(?:and|but|so|which|while|because|since|whereas|making|meaning|although|where|with|an?)\b"
    r"|;|\s+because\s+|\s+whereas\s+|\s+so that\s+|—",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(
    r"\b(?:not|never|n['’]t|rather than|instead of|wrong|incorrect|claims?|says)\b", re.IGNORECASE
)


class Fault(StrEnum):
    """What is wrong with a claim."""

    NO_MARK = "no passage is cited"
    NO_PASSAGE = "the passage cited does not exist"
    NUMBER = "a number is not in the passage"
    IDENTIFIER = "a name of code is not in the passage"
    NAME = "a name is not in the passage"
    QUOTE = "the quoted words are not in the passage"
    NEGATED = "the passage says the opposite"
    SWAPPED = "the passage says this of something else"
    UNSUPPORTED = "the passage does not say this"
    HARMFUL = "it does not come from the book"


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
) -> Judgement:
    """Hold *claim* against the chunks it cites.

    *asked* is what the member wrote, which a claim may refer to; *things* are what all passages speak of.
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
        _wrong_number(claim, near, windows, cited, asked=asked, words=words),
        _missing_identifier(claim, cited),
        _missing_name(claim, cited, words),
        _missing_quote(claim, cited, asked),
        _missing_symbol(claim, near),
        _denied(claim, stems, windows, words),
        _swapped(stems, windows, cited, things, words),
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


def _wrong_number(
    claim: str,
    near: str,
    windows: Sequence[tuple[int, Window]],
    cited: Sequence[tuple[int, Evidence]],
    *,
    asked: str,
    words: Words,
) -> tuple[Fault | None, str]:
    copied = _copied_sentence(windows)
    borne = quantities(copied or near)
    for number, unit in quantities(claim):
        units = {other for value, other in borne if value == number}
        if units:
            if unit and unit not in units and "" not in units:
                return Fault.NUMBER, f"{number} {unit}"
        elif number == "1" or (copied is None and _stands_with(number, claim, cited, words)):
            continue
        elif not (number in numbers(asked) and _CONTRASTED.search(claim)):
            return Fault.NUMBER, number
    return None, ""


def _copied_sentence(windows: Sequence[tuple[int, Window]]) -> str | None:
    """The one sentence that a claim repeats nearly word for word: its numbers must be that sentence's."""
    (_, window), *others = windows
    is_copy = not others and window.first == window.last and window.coverage >= NUMBER_COPY
    return window.text if is_copy else None


def _stands_with(number: str, claim: str, cited: Sequence[tuple[int, Evidence]], words: Words) -> bool:
    """Whether a sentence further off has this number and speaks of the same thing."""
    stems = set(content_stems(claim, words))
    return any(
        number in sentence.figures and len(sentence.stems & stems) >= 2
        for _, evidence in cited
        for sentence in evidence.usable
    )


def _missing_identifier(claim: str, cited: Sequence[tuple[int, Evidence]]) -> tuple[Fault | None, str]:
    borne = " ".join(evidence.plain_text for _, evidence in cited)
    for identifier in identifiers(claim):
        whole = plain(identifier).strip("()")
        if whole not in borne and not all(part in borne for part in whole.split()):
            return Fault.IDENTIFIER, identifier
    return None, ""


def _missing_name(claim: str, cited: Sequence[tuple[int, Evidence]], words: Words) -> tuple[Fault | None, str]:
    for name in names(claim):
        stems = set(words.of_text(name))
        if stems and not any(stems & evidence.stems for _, evidence in cited):
            return Fault.NAME, name
    return None, ""


def _missing_quote(claim: str, cited: Sequence[tuple[int, Evidence]], asked: str) -> tuple[Fault | None, str]:
    for quote in quoted(claim):
        wanted = plain(quote)
        if not any(wanted in evidence.plain_text for _, evidence in cited) and wanted not in plain(asked):
            return Fault.QUOTE, quote[:80]
    return None, ""


def _missing_symbol(claim: str, near: str) -> tuple[Fault | None, str]:
    missing = symbols(claim) - symbols(near)
    return (Fault.NAME, min(missing)) if missing else (None, "")


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
