"""Each family of models is sent what it takes, the operator has the last word, and prices are not guessed."""

import pytest

from core.answering.model.parameters import Parameters
from core.answering.model.usage import Price, Usage, price_of
from core.settings import Settings


@pytest.mark.parametrize(
    ("model", "temperature", "effort"),
    [
        pytest.param("gpt-6-luna", 0.0, "none", id="default"),
        pytest.param("gpt-6-luna-2026-09-01", 0.0, "none", id="dated"),
        pytest.param("gpt-5.6-terra", 0.0, "none", id="needs-effort-none"),
        pytest.param("gpt-6-astra", None, None, id="takes-no-none"),
        pytest.param("gpt-6.1-sol", None, None, id="takes-no-none-either"),
        pytest.param("gpt-5.4-nano", None, None, id="reasons-by-itself"),
        pytest.param("o4-mini", None, None, id="reasoning"),
        pytest.param("gpt-4o-mini", 0.0, None, id="older"),
        pytest.param("llama3.2:3b", 0.0, None, id="local"),
        pytest.param("openai/gpt-6-luna", 0.0, "none", id="through-a-router"),
    ],
)
def test_a_family_is_sent_what_it_takes(model: str, temperature: float | None, effort: str | None) -> None:
    parameters = Parameters.of(Settings(openai_model=model))

    assert (parameters.temperature, parameters.reasoning_effort) == (temperature, effort)


def test_the_operator_has_the_last_word() -> None:
    chosen = Parameters.of(Settings(openai_temperature="0.7", openai_reasoning_effort="low"))
    nothing = Parameters.of(Settings(openai_temperature="off", openai_reasoning_effort="off"))

    assert (chosen.temperature, chosen.reasoning_effort) == (0.7, "low")
    assert (nothing.temperature, nothing.reasoning_effort) == (None, None)


def test_a_refusal_drops_only_what_is_sent() -> None:
    parameters = Parameters(temperature=None, reasoning_effort="none")

    assert parameters.drop_named_in("temperature is not supported") is None
    assert parameters.drop_named_in("'reasoning_effort' is not supported") == "reasoning_effort"
    assert parameters.drop_named_in("'reasoning_effort' is not supported") is None


@pytest.mark.parametrize(
    ("settings", "price"),
    [
        pytest.param(Settings(), Price(0.10, 0.01, 0.50), id="list-price"),
        pytest.param(Settings(openai_model="gpt-99"), None, id="unknown-model"),
        pytest.param(Settings(openai_base_url="http://localhost:1/v1"), None, id="own-server"),
        pytest.param(
            Settings(openai_model="x", openai_price_input=1.0, openai_price_output=2.0),
            Price(1.0, 1.0, 2.0),
            id="told-by-the-operator",
        ),
    ],
)
def test_a_price_is_known_or_not_shown(settings: Settings, price: Price | None) -> None:
    assert price_of(settings) == price


def test_cached_tokens_cost_less() -> None:
    usage = Usage(read=1_000_000, cached=400_000, written=100_000) + Usage(read=0, written=100_000)

    assert Price(0.10, 0.01, 0.50).of(usage) == pytest.approx(0.06 + 0.004 + 0.1)
    assert usage.total == 1_200_000
