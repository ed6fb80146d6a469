"""Whether two sentences that share their words say the same or the opposite."""

import re

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|lacks?|fails?|unable|impossible|hardly|rarely|seldom|barely|scarcely)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"(?:(?:,\s*(?:and\s+|but\s+)?|\b(?:and|but)\s+)(?:not|never|no longer)\b"
    r"(?=\s+(?:only|just|merely|by|in|on|with|from|to|a|an|the|at|\d+)\b)"
    r"|\brather than\b|\binstead of\b|\bno\s+(?:more|less|longer|later|fewer)\s+than\b|\bnot only\b)"
    r"[^,.;:]*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;:—]|,\s+and\b"
    r"|,?\s+\b(?:but|otherwise|although|though|unless|except|while|whereas|because|so that|which)\b",
    re.IGNORECASE,
)
_LEADING_ANSWER = re.compile(r"^\W*(?:yes|no)\b\s*[,:;–—-]\s*", re.IGNORECASE)

_OPPOSITES = """
always/never before/after more/less more/fewer larger/smaller bigger/smaller greater/less
greater/smaller higher/lower increase/decrease increases/decreases increased/decreased
increasing/decreasing raise/lower raises/lowers first/last maximum/minimum longest/shortest
largest/smallest fastest/slowest highest/lowest most/least left/right front/rear inside/outside
input/output inputs/outputs faster/slower longer/shorter stronger/weaker above/below over/under
upper/lower early/late earlier/later newest/oldest newer/older new/old old/new hot/cold hard/soft
hard/easy difficult/easy true/false enabled/disabled enable/disable enables/disables allow/forbid
allows/forbids allowed/forbidden with/without open/closed opens/closes start/stop starts/stops
begin/end begins/ends add/remove adds/removes push/pull static/dynamic fixed/moving fixed/movable
optional/required optional/mandatory possible/impossible same/different all/none every/no
synchronous/asynchronous cheap/expensive cheaper/costlier near/far nearer/farther close/far
small/large small/big short/long low/high few/many thin/thick light/heavy lighter/heavier
narrow/wide weak/strong slow/fast rare/common rarely/often seldom/often better/worse best/worst
good/bad stable/unstable local/global internal/external parent/child parents/children
sender/receiver client/server clients/servers publisher/subscriber publishers/subscribers
publishes/subscribes publish/subscribe request/response sends/receives send/receive reads/writes
read/write positive/negative absolute/relative vertical/horizontal clockwise/counterclockwise
together/separately manual/automatic reliable/unreliable safe/dangerous gains/loses gain/lose
wins/loses accept/reject accepts/rejects one-to-one/one-to-many both/neither day/night
forward/backward visible/invisible known/unknown linear/nonlinear dense/sparse sharp/blurred
real/simulated hardware/software
"""


def _table() -> dict[str, frozenset[str]]:
    pairs: dict[str, set[str]] = {}
    for pair in _OPPOSITES.split():
        one, other = pair.split("/")
        pairs.setdefault(one, set()).add(other)
        pairs.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in pairs.items()}


OPPOSITES = _table()
_COMPARISON = re.compile(
    r"(?P<before>[^.;:]{0,200}?)\b(?P<word>\w+)\s+than\s+(?P<after>[^.;:,]{1,100})", re.IGNORECASE
)
_SMALL_WORDS = frozenset(
    {"a", "an", "the", "is", "are", "it", "its", "one", "that", "of", "in", "to", "more", "less"}
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


def without_contrasts(sentence: str) -> str:
    """A sentence without what it only sets itself apart from, such as "rather than 20"."""
    return _CONTRAST.sub(" ", sentence)


def is_negated(sentence: str) -> bool:
    """Whether a sentence denies something; a contrast such as "10, not 20" denies nothing itself."""
    return _NEGATION.search(without_contrasts(_LEADING_ANSWER.sub("", sentence))) is not None


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that can each be denied without the others."""
    return [part for part in _CLAUSE.split(without_contrasts(" ".join(sentence.split()))) if part and part.strip()]


def opposite_in(sentence: str, evidence: str) -> str | None:
    """A word of *sentence* whose opposite stands in *evidence* while it does not stand there itself."""
    said, borne = _words(sentence), set(_words(evidence))
    for word in said:
        if word not in borne and OPPOSITES.get(word, frozenset()) & borne:
            return word
    return None


def compares_backwards(claim: str, evidence: str) -> bool:
    """Whether both compare by the same word, but what stood behind "than" now stands before it."""
    for one in _COMPARISON.finditer(claim):
        for other in _COMPARISON.finditer(evidence):
            lesser = set(_words(other["after"])) - _SMALL_WORDS
            is_moved = bool(lesser & set(_words(one["before"]))) and not lesser & set(_words(one["after"]))
            if one["word"].lower() == other["word"].lower() and is_moved:
                return True
    return False


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
