"""The environment becomes one object, and everything wrong with it is told at once."""

from dataclasses import fields
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import Settings
from core.settings_docs import ENV_EXAMPLE, PARTS, SETTINGS_PAGE, described_settings, env_example, settings_page

SEED_VARIABLES = {
    "OPENAI_API_KEY",
    "OPENAI_MODEL",
    "COHERE_API_KEY",
    "COHERE_MODEL",
    "QDRANT_URL",
    "QDRANT_API_KEY",
    "QDRANT_COLLECTION_NAME",
    "AGENT_TOP_K",
    "AGENT_SCORE_THRESHOLD",
    "AGENT_MAX_TURNS",
}


def test_nothing_is_needed_to_begin() -> None:
    settings = Settings.from_env({})

    assert settings == Settings()
    assert not settings.has_model


def test_environment_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("FOOTNOTE_PORT=9001\nAGENT_TOP_K=7\nOPENAI_MODEL=luna # a comment\n")

    settings = Settings.from_env({"FOOTNOTE_PORT": "9002", "OPENAI_MODEL": "  "}, env_file=file)

    assert (settings.port, settings.top_k, settings.openai_model, settings.max_turns) == (9002, 7, "luna", 20)


def test_every_problem_is_told_at_once_with_its_variable() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(
            {"FOOTNOTE_PORT": "http", "AGENT_TOP_K": "21", "QDRANT_URL": "somewhere", "SLACK_BOT_TOKEN": "xoxb-1"}
        )

    lines = caught.value.message.splitlines()
    assert {line.split()[0] for line in lines} == {"FOOTNOTE_PORT", "QDRANT_URL", "AGENT_TOP_K", "SLACK_APP_TOKEN"}
    assert "'21'" in caught.value.message


@pytest.mark.parametrize(
    ("variable", "raw", "is_taken"),
    [
        ("FOOTNOTE_PORT", "0", False),
        ("FOOTNOTE_PORT", "1", True),
        ("FOOTNOTE_PORT", "65535", True),
        ("FOOTNOTE_PORT", "65536", False),
        ("FOOTNOTE_PORT", "80.5", False),
        ("FOOTNOTE_PORT", "²", False),
        ("FOOTNOTE_PORT", "--5", False),
        ("AGENT_TOP_K", "0", False),
        ("AGENT_TOP_K", "1", True),
        ("AGENT_TOP_K", "20", True),
        ("AGENT_TOP_K", "21", False),
        ("AGENT_MAX_TURNS", "0", False),
        ("AGENT_MAX_TURNS", "20", True),
        ("AGENT_MAX_TURNS", "21", False),
        ("AGENT_SCORE_THRESHOLD", "-0.1", False),
        ("AGENT_SCORE_THRESHOLD", "0", True),
        ("AGENT_SCORE_THRESHOLD", "1.0", True),
        ("AGENT_SCORE_THRESHOLD", "1.1", False),
        ("AGENT_SCORE_THRESHOLD", "nan", False),
        ("FOOTNOTE_OPEN_BROWSER", "0", True),
        ("FOOTNOTE_OPEN_BROWSER", "YES", True),
        ("FOOTNOTE_OPEN_BROWSER", "maybe", False),
        ("FOOTNOTE_LOG_LEVEL", "DEBUG", True),
        ("FOOTNOTE_LOG_LEVEL", "loud", False),
        ("QDRANT_URL", "http://localhost:6333", True),
        ("QDRANT_URL", "localhost:6333", False),
        ("OPENAI_TEMPERATURE", "off", True),
        ("OPENAI_TEMPERATURE", "2", True),
        ("OPENAI_TEMPERATURE", "2.1", False),
        ("OPENAI_PRICE_INPUT", "0.15", True),
        ("OPENAI_PRICE_INPUT", "-1", False),
        ("OPENAI_PRICE_INPUT", "inf", False),
        ("FOOTNOTE_JOIN_SECONDS", "0", True),
        ("FOOTNOTE_JOIN_SECONDS", "soon", False),
    ],
)
def test_value_is_taken_or_refused_by_name(variable: str, raw: str, is_taken: bool) -> None:
    if is_taken:
        assert Settings.from_env({variable: raw}) is not None
    else:
        with pytest.raises(SettingsError, match=f"^{variable} must be"):
            Settings.from_env({variable: raw})


def test_slacks_calls_need_a_port_of_their_own() -> None:
    slack = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": "s", "SLACK_HTTP_PORT": "8765"}

    with pytest.raises(SettingsError, match="SLACK_HTTP_PORT is the same as FOOTNOTE_PORT"):
        Settings.from_env(slack)

    assert Settings.from_env({**slack, "SLACK_APP_TOKEN": "xapp-1"}).slack_http_port == 8765, "not listened on"


@pytest.mark.parametrize(
    ("environ", "missing"),
    [
        pytest.param({"SLACK_BOT_TOKEN": "xoxb-1"}, "SLACK_APP_TOKEN", id="Slack without its app token"),
        pytest.param({"SLACK_APP_TOKEN": "xapp-1"}, "SLACK_BOT_TOKEN", id="Slack without its bot token"),
        pytest.param({"FOOTNOTE_EMBEDDER": "openai"}, "OPENAI_API_KEY", id="OpenAI without a key"),
        pytest.param({"FOOTNOTE_EMBEDDER": "cohere"}, "COHERE_API_KEY", id="Cohere without a key"),
        pytest.param({"FOOTNOTE_HOST": "0.0.0.0"}, "FOOTNOTE_WEB_TOKEN", id="open to others without a token"),
        pytest.param({"FOOTNOTE_HOST": "192.168.1.5"}, "FOOTNOTE_WEB_TOKEN", id="open to the house without one"),
    ],
)
def test_what_belongs_together_is_asked_for(environ: dict[str, str], missing: str) -> None:
    with pytest.raises(SettingsError, match=f"{missing} is missing"):
        Settings.from_env(environ)


def test_misspelt_name_in_the_file_is_told_with_the_name_that_was_meant(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("FOOTNOTE_DATADIR=elsewhere\nPATH_TO_SOMETHING=else\n")

    with pytest.raises(SettingsError, match="Did you mean FOOTNOTE_DATA_DIR"):
        Settings.from_env({}, env_file=file)


def test_every_broken_line_of_the_file_is_named_with_the_other_problems(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / ".env"
    file.write_text('FOOTNOTE_PORT=0\n\n\nno setting at all\nOPENAI_MODEL="never closed\n')

    with pytest.raises(SettingsError) as told:
        Settings.from_env({}, env_file=file)

    problems = told.value.message.splitlines()
    assert [problem.split(" of ")[0] for problem in problems[:2]] == ["Line 4", "Line 5"]
    assert problems[2].startswith("FOOTNOTE_PORT must be")
    assert "never closed" not in told.value.message
    assert not caplog.records


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("\ufeffFOOTNOTE_PORT=9001\r\n".encode(), id="as Notepad writes it"),
        pytest.param(b"export FOOTNOTE_PORT='9001'  # ours\n", id="as a shell reads it"),
        pytest.param(b"NUMBER=9001\nFOOTNOTE_PORT=${NUMBER}\n", id="by another name"),
    ],
)
def test_a_file_may_be_written_in_any_usual_way(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / ".env"
    file.write_bytes(content)

    assert Settings.from_env({}, env_file=file).port == 9001


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"FOOTNOTE_PORT=9001\xff\xfe")

    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.from_env({}, env_file=file)


def test_secret_is_shown_nowhere() -> None:
    environ = {
        each.metadata["variable"]: f"very-secret-{number}"
        for number, each in enumerate(fields(Settings))
        if each.metadata["is_secret"]
    }

    settings = Settings.from_env(environ)

    assert "very-secret" not in repr(settings)
    assert sorted(settings.secrets) == sorted(environ.values())


def test_of_several_tokens_in_one_variable_each_is_a_secret() -> None:
    settings = Settings.from_env({"SLACK_BOT_TOKEN": "xoxb-1, xoxb-2", "SLACK_APP_TOKEN": "xapp-1"})

    assert set(settings.secrets) == {"xoxb-1", "xoxb-2", "xapp-1"}


def test_names_that_hold_secrets_are_marked_as_such() -> None:
    unmarked = [
        each.metadata["variable"]
        for each in fields(Settings)
        if each.metadata["variable"].endswith(("_TOKEN", "_KEY", "_SECRET")) and not each.metadata["is_secret"]
    ]

    assert not unmarked


def test_variables_of_the_contract_keep_their_names() -> None:
    assert {variable for variable, _, _ in described_settings()} >= SEED_VARIABLES


def test_every_variable_belongs_to_a_part_of_the_example() -> None:
    assert {variable.partition("_")[0] for variable, _, _ in described_settings()} == set(PARTS)


def test_example_file_is_in_step_with_the_settings() -> None:
    assert ENV_EXAMPLE.read_text(encoding="utf-8") == env_example(), "run: python -m core.settings_docs"


def test_settings_page_is_in_step_with_the_settings() -> None:
    assert SETTINGS_PAGE.read_text(encoding="utf-8") == settings_page(), "run: python -m core.settings_docs"


def test_example_file_can_be_used_as_it_stands(tmp_path: Path) -> None:
    """Every default shown is one that is taken."""
    file = tmp_path / ".env"
    shown = [
        line.removeprefix("#")
        for line in env_example().splitlines()
        if line.startswith(tuple(f"#{p}_" for p in PARTS))
    ]
    file.write_text("\n".join(shown))

    assert Settings.from_env({}, env_file=file) == Settings()
