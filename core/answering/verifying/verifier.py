"""A model's draft held against the chunks it cites, sentence by sentence; what is not borne out is left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.answering.verifying.claims import to_claims
from core.answering.verifying.evidence import Evidence
from core.answering.verifying.examining import Examination
from core.answering.verifying.taming import without_addresses
from core.answering.verifying.verdicts import Verdict
from core.model import Chunk, FoundChunk
from core.ports import Embedder
from core.retrieval.words import Words

UNRELATED_COSINE = {
    "bge-small-en-v1.5-int8": 0.50,
    "text-embedding-3-small": 0.10,
    "text-embedding-3-large": 0.10,
    "embed-english-v3.0": 0.30,
}
"""What sentences about different things still have in common, by model. Measured for the embedded one."""
OTHER_UNRELATED_COSINE = 0.30
LEAST_SUPPORT = 0.87
"""What the share of words and the closeness of meaning, each up to 1, must come to together."""
SAME_MEANING = 0.78
"""So close, a claim says the same in other words, however few it shares."""
LEAST_COVERAGE_ALONE = 0.4
"""The share of words that is enough while the embedder has not been asked."""
MAX_QUOTE_CHARS = 500
KEPT_CHUNKS = 256


@dataclass(frozen=True, slots=True)
class Verified:
    """What is left of a draft, and what was wrong with the rest."""

    text: str
    """Only what is borne out, every mark leading to a chunk that helps. Empty where nothing is."""
    quotes: dict[int, str]
    """For each mark the words of its chunk that bear the sentence out, exactly as they stand there."""
    support: float
    """The share of factual sentences that were borne out."""
    failing: tuple[tuple[str, str], ...] = ()
    """Each sentence that was left out for a reason, with the reason."""


class Verifier:
    """Checks drafts. Works by words and facts; where these leave a doubt, by the embedder."""

    def __init__(self, *, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._words = words = Words()

        # An answer is looked at again with each sentence that is added to it.
        @lru_cache(maxsize=KEPT_CHUNKS)
        def evidence_of(chunk: Chunk) -> Evidence:
            return Evidence(chunk, words)

        self._evidence_of = evidence_of

    async def check(
        self, text: str, chunks: Sequence[FoundChunk], *, asked: str = "", secret: str = ""
    ) -> Verified:
        """What of *text* its chunks bear out; marks [n] lead to *chunks*[n - 1].

        *asked* is what the member wrote, *secret* what may not be shown.

        Raises:
            ServiceError: the embedder did not do its part.
        """
        return _to_verified(await self.examine(text, chunks, asked=asked, secret=secret))

    async def examine(
        self, text: str, chunks: Sequence[FoundChunk], *, asked: str = "", secret: str = ""
    ) -> Examination:
        """The verdict on every claim of *text*, doubts settled.

        Raises:
            ServiceError: the embedder did not do its part.
        """
        examination = self._examine(text, chunks, asked, secret)
        await self._settle_doubts(examination)
        return examination

    def preview(self, text: str, chunks: Sequence[FoundChunk], *, asked: str = "", secret: str = "") -> str:
        """What may be shown of a draft that is still being written: what words and facts bear out."""
        examination = self._examine(text, chunks, asked, secret)
        _reject_doubtful(examination)
        return examination.kept_text()

    def _examine(self, text: str, chunks: Sequence[FoundChunk], asked: str, secret: str) -> Examination:
        return Examination(
            text,
            to_claims(text),
            [self._evidence_of(found.chunk) for found in chunks],
            asked=asked,
            secret=secret,
            words=self._words,
        )

    async def _settle_doubts(self, examination: Examination) -> None:
        unsure = examination.unsure()
        if not unsure:
            return
        if self._embedder is None:
            _reject_doubtful(examination)
            return
        texts = [text for verdict in unsure for text in (verdict.claim.text, verdict.best_window)]
        vectors = await self._embedder.embed_chunks(texts)
        unrelated = UNRELATED_COSINE.get(self._embedder.model, OTHER_UNRELATED_COSINE)
        closeness = [
            (float(np.dot(claim, window)) - unrelated) / (1 - unrelated)
            for claim, window in zip(vectors[::2], vectors[1::2], strict=True)
        ]
        pairs = list(zip(unsure, closeness, strict=True))
        examination.reject(
            [each for each, close in pairs if each.is_kept and each.coverage + close < LEAST_SUPPORT]
        )
        examination.accept([each for each, close in pairs if each.is_refutable and close >= SAME_MEANING])


def _reject_doubtful(examination: Examination) -> None:
    doubtful = [each for each in examination.unsure() if each.is_kept and each.coverage < LEAST_COVERAGE_ALONE]
    examination.reject(doubtful)


def _to_verified(examination: Examination) -> Verified:
    failing = [verdict for verdict in examination.verdicts if verdict.fault is not None]
    kept = [verdict for verdict in examination.verdicts if verdict.is_kept and not verdict.is_frame]
    factual = len(kept) + len(failing)
    return Verified(
        text=examination.kept_text(),
        quotes=_quotes(kept, examination),
        support=len(kept) / factual if factual else 0.0,
        failing=tuple((verdict.claim.text, verdict.reason) for verdict in failing),
    )


def _quotes(kept: Sequence[Verdict], examination: Examination) -> dict[int, str]:
    """One stretch for each mark: all that its sentences rest on where that is short, else the first."""
    spans: dict[int, tuple[int, int]] = {}
    for verdict in kept:
        for number, start, end in verdict.stretches:
            first, last = spans.get(number, (start, end))
            joined = min(first, start), max(last, end)
            is_fit = joined[1] - joined[0] <= MAX_QUOTE_CHARS and examination.quote(number, *joined) is not None
            spans[number] = joined if is_fit else (first, last)
    return {number: without_addresses(examination.quote(number, *span) or "") for number, span in spans.items()}
