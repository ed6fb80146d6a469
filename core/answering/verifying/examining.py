"""The examination of one draft: a verdict for each of its claims, and what may be kept."""

import re
from collections.abc import Iterator, Sequence

from core.answering.verifying.claims import Claim, rebuilt
from core.answering.verifying.directives import is_directive
from core.answering.verifying.evidence import Evidence, content_stems
from core.answering.verifying.facts import numbers, plain
from core.answering.verifying.faults import Fault
from core.answering.verifying.judging import Judgement, judge_claim
from core.answering.verifying.verdicts import Verdict
from core.retrieval.words import Words
from core.text.sentences import SpanKind

SECRET_RUN = 8
"""So many words in a row shared with what is secret are no accident."""
SHORT_CLAIM_WORDS = 8
MOST_LEAD_WORDS = 6
"""A lead-in of more words than these says something, and is held against its passage."""
_LEAD_WORDS = (
    "look like minim simpl complet follow step list show work here below item point option way thing main key"
)
REMARKED_COVERAGE = 0.7
"""What a claim must share with a chunk it did not cite to be given that chunk's mark."""

_LIMITATION = re.compile(
    r"\b(?:book|passages?|text|lessons?|chapters?|content|sections?)\b.{0,40}"
    r"\b(?:does not|doesn['’]t|do not|don['’]t|did not|never)\b"
    r".{0,20}\b(?:say|mention|cover|explain|tell|give|name|specify|describe|discuss|state|contain|provide|define)",
    re.IGNORECASE,
)
_SILENT = re.compile(
    r"^\W*(?:yes|no|sure|certainly|of course|okay|ok|in short|great question)\W*$|\?\W*$", re.IGNORECASE
)
_REMARKABLE = {Fault.UNSUPPORTED, Fault.NO_PASSAGE, Fault.NO_MARK, Fault.NUMBER, Fault.IDENTIFIER, Fault.NAME}


class Examination:
    """Holds every claim of one draft against the chunks it cites."""

    def __init__(
        self,
        text: str,
        claims: Sequence[Claim],
        passages: Sequence[Evidence],
        *,
        asked: str,
        secret: str,
        words: Words,
    ) -> None:
        self._text = text
        self._claims = list(claims)
        self._evidence = list(passages)
        self._vocabulary = frozenset[str]().union(*(evidence.stems for evidence in self._evidence))
        self._things = frozenset[str]().union(*(evidence.things for evidence in self._evidence))
        self._asked = asked
        self._secret_runs = _runs(secret)
        self._words = words
        self.verdicts = [self._judge(index) for index in range(len(self._claims))]
        self._settle_frames()

    def kept_text(self) -> str:
        """The draft with only what is borne out; empty where no sentence with a mark is left."""
        if not any(verdict.is_kept and not verdict.is_frame for verdict in self.verdicts):
            return ""
        return rebuilt(self._text, self._claims, self._keep)

    def quote(self, number: int, start: int, end: int) -> str | None:
        """A stretch of chunk *number* as it stands there; None where it holds what may not be quoted."""
        evidence = self._evidence[number - 1]
        return evidence.chunk.text[start:end] if evidence.is_clean(start, end) else None

    def unsure(self) -> list[Verdict]:
        """What words alone do not decide: kept with a doubt, or left out for lack of words only."""
        return [verdict for verdict in self.verdicts if verdict.is_unsure or verdict.is_refutable]

    def accept(self, verdicts: Sequence[Verdict]) -> None:
        """Keep claims that turned out close enough to their passages."""
        for verdict in verdicts:
            assert verdict.judgement is not None
            verdict.rest_on(verdict.judgement)
        self._settle_frames()

    def reject(self, verdicts: Sequence[Verdict]) -> None:
        """Take back claims that turned out too far from their passages."""
        for verdict in verdicts:
            verdict.is_kept, verdict.fault = False, Fault.UNSUPPORTED
        self._settle_frames()

    def _keep(self, index: int) -> Sequence[int] | None:
        verdict = self.verdicts[index]
        if not verdict.is_kept:
            return None
        before = self.verdicts[index - 1] if index else None
        is_led = before is not None and before.is_kept and set(verdict.marks) <= set(before.marks)
        return () if verdict.claim.kind is SpanKind.CODE and is_led else verdict.marks

    def _judge(self, index: int) -> Verdict:
        claim = self._claims[index]
        if self._is_harmful(claim.text):
            return Verdict(claim, fault=Fault.HARMFUL)
        if claim.kind is SpanKind.CODE:
            return self._judge_code(claim)
        if _SILENT.search(claim.text):
            return Verdict(claim)
        if claim.kind is SpanKind.HEADING or self._is_frame(claim):
            return Verdict(claim, marks=self._existing(claim.marks), is_frame=True)
        return self._judge_sentence(index)

    def _judge_sentence(self, index: int) -> Verdict:
        claim = self._claims[index]
        marks = claim.marks or self._inherited(index)
        cited = [(number, self._evidence[number - 1]) for number in self._existing(marks)]
        if not cited:
            fault = Fault.NO_PASSAGE if marks else Fault.NO_MARK
            return self._remarked(claim) or self._dropped(claim, fault)
        judgement = self._held_against(claim, cited)
        if judgement.fault is None:
            return Verdict.kept(claim, judgement)
        better = self._remarked(claim) if judgement.fault in _REMARKABLE else None
        if better is None and not claim.marks:
            return self._dropped(claim, Fault.NO_MARK)
        return better or Verdict(claim, fault=judgement.fault, judgement=judgement, detail=judgement.detail)

    def _existing(self, marks: Sequence[int]) -> tuple[int, ...]:
        return tuple(number for number in marks if 1 <= number <= len(self._evidence))

    def _dropped(self, claim: Claim, fault: Fault) -> Verdict:
        """A pleasantry without a mark is left out without a word; anything longer is a mistake."""
        is_small = len(claim.text.split()) <= SHORT_CLAIM_WORDS and not numbers(claim.text)
        return Verdict(claim, fault=None if fault is Fault.NO_MARK and is_small else fault)

    def _remarked(self, claim: Claim) -> Verdict | None:
        """The claim under the mark of another chunk that bears it out beyond doubt."""
        best: Judgement | None = None
        for number, evidence in enumerate(self._evidence, 1):
            if number in claim.marks:
                continue
            judgement = self._held_against(claim, [(number, evidence)])
            is_sure = judgement.fault is None and judgement.coverage >= REMARKED_COVERAGE
            if is_sure and (best is None or judgement.coverage > best.coverage):
                best = judgement
        if best is None:
            return None
        verdict = Verdict.kept(claim, best)
        verdict.was_remarked = True
        return verdict

    def _held_against(self, claim: Claim, cited: Sequence[tuple[int, Evidence]]) -> Judgement:
        return judge_claim(
            claim.text,
            cited,
            asked=self._asked,
            words=self._words,
            things=self._things,
            shelf=self._evidence,
        )

    def _inherited(self, index: int) -> tuple[int, ...]:
        """The marks of the next sentence of the paragraph that has any, else of the one before."""
        claim = self._claims[index]
        for other in (*self._claims[index + 1 :], *reversed(self._claims[:index])):
            is_near = other.paragraph == claim.paragraph or claim.kind is SpanKind.TABLE
            if is_near and other.marks:
                return other.marks
        return ()

    def _judge_code(self, claim: Claim) -> Verdict:
        """Code is kept only if every line of it stands in one chunk."""
        lines = [plain(line) for line in claim.text.splitlines() if line.strip() and "```" not in line]
        for number, evidence in enumerate(self._evidence, 1):
            if lines and all(line in evidence.plain_text for line in lines):
                window = evidence.best_window(evidence.stems & set(self._words.of_text(claim.text)))
                stretch = [(number, window.start, window.end)] if window else []
                return Verdict(claim, marks=(number,), is_kept=True, stretches=stretch)
        return Verdict(claim, fault=Fault.IDENTIFIER, detail="code that is not in the passages")

    def _is_frame(self, claim: Claim) -> bool:
        """Whether a sentence only leads over, or says what the book does not, in words already in play."""
        if _is_lead(claim):
            is_empty = len(content_stems(claim.text, self._words)) <= MOST_LEAD_WORDS or not claim.marks
            return is_empty and self._is_in_play(claim.text)
        return not claim.marks and bool(_LIMITATION.search(claim.text)) and self._is_in_play(claim.text)

    def _is_in_play(self, text: str) -> bool:
        known = self._vocabulary.union(self._words.of_text(self._asked))
        novel = [stem for stem in content_stems(text, self._words) if stem not in known]
        novel = [stem for stem in novel if stem not in _LEAD_WORDS.split()]
        return len(novel) <= 1 and numbers(text) <= numbers(self._asked)

    def _settle_frames(self) -> None:
        """Headings and lead-ins stay with what follows them, limitations with any answer at all."""
        has_answer = any(verdict.is_kept and not verdict.is_frame for verdict in self.verdicts)
        follows_kept = False
        for verdict in reversed(self.verdicts):
            if verdict.is_frame:
                claim = verdict.claim
                is_heading = claim.kind is SpanKind.HEADING
                needs_next = is_heading or _is_lead(claim)
                is_fit = not is_heading or self._is_in_play(claim.text)
                verdict.is_kept = is_fit and (follows_kept if needs_next else has_answer)
            follows_kept = verdict.is_kept

    def _is_harmful(self, text: str) -> bool:
        return is_directive(text) or bool(self._secret_runs.intersection(_runs(text)))


def _is_lead(claim: Claim) -> bool:
    return claim.text.rstrip("*_ ").endswith(":")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return set(_grams(words))


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[start : start + SECRET_RUN]) for start in range(len(words) - SECRET_RUN + 1))
