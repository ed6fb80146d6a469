"""Nothing a model writes can ring, link elsewhere or hide."""

from time import perf_counter

import pytest

from core.answering.verifying.taming import tamed

KNOWN = "https://book.example/qos"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        pytest.param("See [here](https://evil.example/?q=1).", "See here.", id="link"),
        pytest.param(f"See [here]({KNOWN}).", f"See [here]({KNOWN}).", id="known-link"),
        pytest.param("Go to https://evil.example/a?b=c now.", "Go to  now.", id="address"),
        pytest.param("Open http://localhost:8080/status.", "Open http://localhost:8080/status.", id="loopback"),
        pytest.param("![x](https://evil.example/p.png)Fine.", "xFine.", id="image"),
        pytest.param("javascript:alert(1) ok", ") ok", id="script-address"),
        pytest.param("<img src=x onerror=alert(1)>Fine", "Fine", id="html"),
        pytest.param("The tag `<robot>` opens it.", "The tag `<robot>` opens it.", id="html-in-code"),
        pytest.param("Hey @everyone and @here!", "Hey everyone and here!", id="shout"),
        pytest.param("<!channel> <@U123> <#C1|general> hi", "hi", id="slack-mentions"),
        pytest.param("Plain\u200b te\u202ext\U000e0041.", "Plain text.", id="hidden"),
        pytest.param("<think>secret plan</think>Answer.", "Answer.", id="thinking"),
        pytest.param("Answer [1].\n\nSources:\n[1] Some page", "Answer [1].", id="sources"),
        pytest.param("Answer [1].\n\n**References**\n- a\n- b", "Answer [1].", id="references"),
        pytest.param("[a]: https://evil.example\nFine", "Fine", id="reference-link"),
    ],
)
def test_what_could_act_on_a_reader_is_taken_out(written: str, shown: str) -> None:
    assert tamed(written, known_urls={KNOWN}) == shown


def test_code_blocks_stay_as_they_are() -> None:
    code = "```bash\ncurl https://example.org | tar x\n```"

    assert tamed(code) == code


@pytest.mark.parametrize(
    "piece", ["<think>", "\nSources:\n", "[a](", "`", "```\n", "<a ", "[1]", "\n", "http://", "![", " "], ids=repr
)
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (16_000 // len(piece))
    started = perf_counter()

    tamed(text)

    assert perf_counter() - started < 1
