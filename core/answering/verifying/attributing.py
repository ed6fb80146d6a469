"""Whether a claim gives one thing what its passage gives another: worded freely, but with both things named."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from core.answering.verifying.evidence import FRAME, Evidence
from core.answering.verifying.statements import Statement, to_names, to_parts, to_stems
from core.retrieval.words import Words

LEAST_SHARED = 0.5
"""The share of what a claim says of its thing that a statement about another one must have."""
LEAST_MARGIN = 0.2
"""By how much that must be more than any statement about the claim's own thing has of it."""
LEAST_WORDS = 3
PAIRS_COUNT = 0.25
"""How much neighbouring words count beside single ones: enough to tell statements with the same words apart."""


def stolen_from(claim: str, cited: Sequence[Evidence], shelf: Sequence[Evidence], words: Words) -> str | None:
    """The thing that a statement of *cited* is about, where *claim* says the same of another one; or None.

    A thing counts as another one only if a statement on the *shelf* begins with it. What the section is named
    after is meant where nothing else is named, so it is never another one.
    """
    statements = [statement for evidence in cited for statement in evidence.statements]
    known = {name for evidence in shelf for statement in evidence.statements for name in statement.lead}
    title = {name for evidence in cited for name in to_names(evidence.chunk.section_title or "")}
    for part in to_parts(claim):
        said = to_names(part)
        for thing in _things(said, statements, title):
            if thing in known - title and (rival := _rival(thing, said, statements, words)):
                return rival
    return None


def _things(said: Sequence[str], statements: Sequence[Statement], title: Collection[str]) -> Sequence[str]:
    """What a claim may be about: its first word, and the second where both are one name or name a part of it."""
    is_one_name = any(statement.lead == tuple(said[:2]) for statement in statements)
    is_part = len(said) > 1 and said[0] in title and not said[1].isalpha()
    return said[:2] if is_one_name or is_part else said[:1]


def _rival(thing: str, said: Sequence[str], statements: Sequence[Statement], words: Words) -> str | None:
    own = [statement for statement in statements if thing in statement.names]
    leads = {name for statement in own if thing in statement.lead for name in statement.lead}
    named = {thing} | leads.intersection(said[:3])
    rest = [stem for stem in to_stems((name for name in said if name not in named), words) if stem not in FRAME]
    if len(set(rest)) < LEAST_WORDS:
        return None
    others = [each for each in statements if thing not in each.names and set(each.lead) - set(said)]
    best = max(others, key=lambda each: _shared(rest, each), default=None)
    if best is None or _shared(rest, best) < LEAST_SHARED:
        return None
    most_own = max((_shared(rest, statement) for statement in own), default=0.0)
    return " ".join(best.lead) if _shared(rest, best) - most_own >= LEAST_MARGIN else None


def _shared(rest: Sequence[str], statement: Statement) -> float:
    wanted, pairs = set(rest), set(pairwise(rest))
    alone = len(wanted.intersection(statement.stems)) / len(wanted)
    return alone + PAIRS_COUNT * len(pairs.intersection(pairwise(statement.stems))) / max(1, len(pairs))
