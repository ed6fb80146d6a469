"""Log lines that an operator can read and that give nothing away."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot.logs import HIDDEN, set_up_logs

SECRETS = ("xoxb-planted", "xoxb-planted-secret")
"""The one begins as the other: no rest of the longer one may stay."""


@pytest.fixture(autouse=True)
def _restored_root() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def _logged(*, is_json: bool) -> str:
    stream = io.StringIO()
    set_up_logs("info", is_json=is_json, secrets=SECRETS, stream=stream)
    try:
        raise ValueError("Bearer xoxb-planted-secret was refused")
    except ValueError:
        logging.getLogger("bot.test").exception(
            "turn failed with %s", "xoxb-planted", extra={"reference": "a1b2c3"}
        )
    return stream.getvalue()


@pytest.mark.parametrize("is_json", [True, False], ids=["json", "lines"])
def test_a_secret_never_reaches_the_log_not_even_inside_a_trace(is_json: bool) -> None:
    logged = _logged(is_json=is_json)

    assert HIDDEN in logged
    assert not any(secret in logged for secret in (*SECRETS, "-secret"))


def test_a_json_line_carries_the_reference_a_member_sees() -> None:
    entry = json.loads(_logged(is_json=True))

    assert entry["reference"] == "a1b2c3"
    assert entry["level"] == "error"
    assert "ValueError" in entry["trace"]


def test_a_line_for_people_names_level_message_and_fields() -> None:
    first = _logged(is_json=False).splitlines()[0]

    assert "error" in first
    assert first.endswith("reference=a1b2c3")


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        pytest.param("debug", {"ours", "openai info"}, id="debug"),
        pytest.param("info", {"ours", "openai info"}, id="info"),
        pytest.param("warning", {"ours"}, id="warning"),
    ],
)
def test_a_library_never_says_more_than_the_operator_wants(level: str, shown: set[str]) -> None:
    stream = io.StringIO()
    set_up_logs(level, is_json=True, secrets=(), stream=stream)

    logging.getLogger("openai._base_client").debug("openai debug")
    logging.getLogger("openai._base_client").info("openai info")
    logging.getLogger("discord.gateway").info("discord info")
    logging.getLogger("bot.test").warning("ours")

    assert {json.loads(line)["message"] for line in stream.getvalue().splitlines()} == shown
