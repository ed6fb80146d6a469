"""Whether the numbers, names, code and quoted words of a claim stand in the chunks it cites."""

import re
from collections.abc import Sequence

from core.answering.verifying.evidence import Evidence, Window, content_stems
from core.answering.verifying.facts import identifiers, names, numbers, plain, quantities, quoted, symbols
from core.answering.verifying.faults import Fault
from core.retrieval.words import Words

NUMBER_COPY = 0.8
"""From this share of words in one sentence on, a claim's numbers must be that sentence's."""
_CONTRASTED = re.compile(
    r"\b(?:not|never|n['’]t|rather than|instead of|wrong|incorrect|claims?|says)\b", re.IGNORECASE
)


def wrong_number(
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


def missing_identifier(claim: str, cited: Sequence[tuple[int, Evidence]]) -> tuple[Fault | None, str]:
    borne = " ".join(evidence.plain_text for _, evidence in cited)
    for identifier in identifiers(claim):
        whole = plain(identifier).strip("()")
        if whole not in borne and not all(part in borne for part in whole.split()):
            return Fault.IDENTIFIER, identifier
    return None, ""


def missing_name(claim: str, cited: Sequence[tuple[int, Evidence]], words: Words) -> tuple[Fault | None, str]:
    for name in names(claim):
        stems = set(words.of_text(name))
        if stems and not any(stems & evidence.stems for _, evidence in cited):
            return Fault.NAME, name
    return None, ""


def missing_quote(claim: str, cited: Sequence[tuple[int, Evidence]], asked: str) -> tuple[Fault | None, str]:
    for quote in quoted(claim):
        wanted = plain(quote)
        if not any(wanted in evidence.plain_text for _, evidence in cited) and wanted not in plain(asked):
            return Fault.QUOTE, quote[:80]
    return None, ""


def missing_symbol(claim: str, near: str) -> tuple[Fault | None, str]:
    missing = symbols(claim) - symbols(near)
    return (Fault.NAME, min(missing)) if missing else (None, "")
