"""What was found about one claim of a draft."""

from dataclasses import dataclass, field

from core.answering.verifying.claims import Claim
from core.answering.verifying.faults import Fault
from core.answering.verifying.judging import Judgement


@dataclass(slots=True)
class Verdict:
    """What was found about one claim."""

    claim: Claim
    marks: tuple[int, ...] = ()
    fault: Fault | None = None
    judgement: Judgement | None = None
    is_kept: bool = False
    is_frame: bool = False
    """It says nothing itself: a heading, a lead-in, or what the book does not say."""
    detail: str = ""
    was_remarked: bool = False
    stretches: list[tuple[int, int, int]] = field(default_factory=list)
    """Mark, start and end of each stretch of a chunk it rests on."""

    @property
    def is_unsure(self) -> bool:
        return self.is_kept and self.judgement is not None and self.judgement.is_unsure

    @property
    def is_refutable(self) -> bool:
        return not self.is_kept and self.judgement is not None and self.judgement.is_refutable

    @classmethod
    def kept(cls, claim: Claim, judgement: Judgement) -> "Verdict":
        """The claim is borne out."""
        verdict = cls(claim)
        verdict.rest_on(judgement)
        return verdict

    def rest_on(self, judgement: Judgement) -> None:
        """Keep the claim, under the marks of the chunks that bear it out."""
        self.is_kept, self.fault, self.judgement = True, None, judgement
        self.marks = tuple(sorted(number for number, _ in judgement.windows))
        self.stretches = [(number, window.start, window.end) for number, window in judgement.windows]

    @property
    def coverage(self) -> float:
        return self.judgement.coverage if self.judgement else 0.0

    @property
    def best_window(self) -> str:
        assert self.judgement is not None
        return self.judgement.windows[0][1].text

    @property
    def reason(self) -> str:
        return f"{self.fault} ({self.detail})" if self.detail else str(self.fault)
