"""Whether a claim says of one thing what its passage says of another."""

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

MOST_SWAPPED = 3
"""A name is seldom longer; longer differences are another sentence, not a swapped name."""
MOST_REPEATED = 0.7
"""From this share on, the rest of a claim repeats a sentence."""


def swapped_word(
    claim: Sequence[str], sentence: Sequence[str], *, things: Collection[str], nearby: Collection[str]
) -> str | None:
    """A stem that stands in *claim* where *sentence* has another one, though both belong to the book.

    A new word in the same place is mostly a synonym. One of the *things* that the passages speak of is mostly
    another thing, unless it is *nearby* and only says what "it" stands for; so are two that changed places.
    """
    replaced = _replaced(claim, sentence)
    for said, borne, is_subject in replaced:
        new = [stem for stem in said if stem not in sentence and not any(_is_related(stem, old) for old in borne)]
        known = set(things) if is_subject else set(things) - set(nearby)
        if new and all(stem in known for stem in new) and not set(borne) & set(claim):
            return new[0]
    for said, borne, _ in replaced:
        for other_said, other_borne, _ in replaced:
            if set(said) & set(other_borne) and set(borne) & set(other_said):
                return said[0]
    return _crossed(claim, sentence, things) or _foreign_subject(claim, sentence, set(things) - set(nearby))


def _foreign_subject(claim: Sequence[str], sentence: Sequence[str], distant: Collection[str]) -> str | None:
    """What a claim begins with, where that is spoken of only far from the sentence it repeats."""
    first = next((place for place, stem in enumerate(claim) if stem in sentence), 0)
    lead, rest = claim[:first], claim[first:]
    is_repeated = sum(stem in sentence for stem in rest) >= MOST_REPEATED * len(rest)
    is_foreign = 0 < first <= MOST_SWAPPED and all(stem in distant for stem in lead)
    return lead[0] if is_foreign and is_repeated else None


def _crossed(claim: Sequence[str], sentence: Sequence[str], things: Collection[str]) -> str | None:
    """A thing whose follower in the sentence now follows another one, which got its own in exchange."""
    said, borne = _followers(claim), _followers(sentence)
    shared = [stem for stem in said if stem in things and stem in borne and said[stem] != borne[stem]]
    for one in shared:
        for other in shared:
            if one != other and said[one] == borne[other] and said[other] == borne[one]:
                return one
    return None


def _followers(stems: Sequence[str]) -> dict[str, str]:
    """Each stem that occurs once, with the one behind it."""
    return {stem: after for stem, after in pairwise(stems) if stems.count(stem) == 1}


def _is_related(one: str, other: str) -> bool:
    """Whether two stems are forms of one word, such as "wide" and "width"."""
    shared = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return shared >= 3 and shared * 2 >= max(len(one), len(other))


def _replaced(claim: Sequence[str], sentence: Sequence[str]) -> list[tuple[Sequence[str], Sequence[str], bool]]:
    """Every short stretch of *claim* that stands in the place of one of *sentence*, and whether it comes first."""
    matcher = SequenceMatcher(None, sentence, claim, autojunk=False)
    return [
        (claim[j1:j2], sentence[i1:i2], j1 == 0)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag == "replace" and j2 - j1 <= MOST_SWAPPED and i2 - i1 <= MOST_SWAPPED
    ]
