"""The numbers of a run: what was found, what was answered, what was refused."""

from collections.abc import Iterable, Sequence
from statistics import median

from core.evaluation.calibration import calibration_error
from core.evaluation.matching import contains, has_short_answer, hits, words
from core.evaluation.outcome import Outcome
from core.evaluation.pack import PackQuestion

Pair = tuple[PackQuestion, Outcome]
NO_RETRIEVAL = "inventory"
"""Questions on pages that hold little but the questions themselves; they count for answers only."""


def scores(pairs: Sequence[Pair]) -> dict[str, float | None]:
    """Every measure by name; None where the pack has no question that it could be measured on."""
    known = [pair for pair in pairs if pair[0].is_answerable]
    near = [pair for pair in pairs if pair[0].is_near_miss]
    off = [pair for pair in pairs if pair[0].is_off_topic]
    answered = [pair for pair in known if pair[1].should_answer]
    return {
        "questions": len(pairs),
        **_retrieval(known),
        **_answers(known, answered),
        "answered_of_answerable": rate(outcome.should_answer for _, outcome in known),
        "refused_of_near_miss": rate(not outcome.should_answer for _, outcome in near),
        "refused_of_offtopic": rate(not outcome.should_answer for _, outcome in off),
        "auroc_near_miss": auroc(_confidences(known), _confidences(near)),
        "auroc_offtopic": auroc(_confidences(known), _confidences(off)),
        "calibration_error": calibration_error(pairs),
        **_times([outcome for _, outcome in pairs]),
        **_spent([outcome for _, outcome in pairs]),
    }


def _retrieval(known: Sequence[Pair]) -> dict[str, float | None]:
    ranks = [
        rank_of(question, outcome)
        for question, outcome in known
        if question.gold and question.source != NO_RETRIEVAL
    ]
    return {
        **{f"recall@{depth}": rate(rank is not None and rank <= depth for rank in ranks) for depth in (1, 5, 10)},
        "mrr@10": mean(1 / rank if rank else 0.0 for rank in ranks),
    }


def rank_of(question: PackQuestion, outcome: Outcome) -> int | None:
    """The rank of the first right passage among ten."""
    retrieved = enumerate(outcome.retrieved[:10], 1)
    return next((rank for rank, item in retrieved if hits(item, question.gold)), None)


def _answers(known: Sequence[Pair], answered: Sequence[Pair]) -> dict[str, float | None]:
    lengths = [len(words(outcome.answer)) for _, outcome in answered]
    return {
        "answer_contains_gold": rate(
            outcome.should_answer and contains(outcome.answer, question.answers)
            for question, outcome in known
            if has_short_answer(question)
        ),
        "answer_words_median": median(lengths) if lengths else None,
        "cites_gold": rate(
            any(hits(citation, question.gold) for citation in outcome.citations)
            for question, outcome in answered
            if question.gold
        ),
        "answered_without_citation": rate(not outcome.citations for _, outcome in answered),
    }


def _times(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    spent = sorted(outcome.ms for outcome in outcomes)
    ratios = [outcome.ms / outcome.model_ms for outcome in outcomes if outcome.model_ms]
    return {
        "ms_p50": spent[len(spent) // 2] if spent else None,
        "ms_p99": spent[int(len(spent) * 0.99)] if spent else None,
        "ms_over_model_p50": round(median(ratios), 3) if ratios else None,
    }


def _spent(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """What a model cost; nothing where none was asked."""
    tokens = sum(outcome.tokens_used for outcome in outcomes)
    if not tokens:
        return {}
    costs = [outcome.cost_usd for outcome in outcomes if outcome.cost_usd is not None]
    return {"tokens_mean": round(tokens / len(outcomes), 1), "cost_usd": round(sum(costs), 6) if costs else None}


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The chance that a positive stands above a negative; equal values count half."""
    if not positive or not negative:
        return None
    ranked = sorted([(value, True) for value in positive] + [(value, False) for value in negative])
    total, start = 0.0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        total += (start + end + 1) / 2 * sum(is_positive for _, is_positive in ranked[start:end])
        start = end
    least = len(positive) * (len(positive) + 1) / 2
    return round((total - least) / (len(positive) * len(negative)), 4)


def rate(claims: Iterable[bool]) -> float | None:
    """The share of claims that hold; None where there is none."""
    return mean(float(claim) for claim in claims)


def mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else None


def _confidences(pairs: Sequence[Pair]) -> list[float]:
    return [outcome.confidence for _, outcome in pairs]
