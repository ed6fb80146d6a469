"""The settings told twice: as .env.example and as the table in docs/settings.md.

`python -m core.settings_docs` writes both; a test fails while they differ from the settings.
"""

from dataclasses import fields
from pathlib import Path

from core.settings import Settings

ROOT = Path(__file__).parent.parent
ENV_EXAMPLE = ROOT / ".env.example"
SETTINGS_PAGE = ROOT / "docs" / "settings.md"

PARTS = {
    "FOOTNOTE": "Footnote itself",
    "DISCORD": "Discord: set the token and the bot serves it",
    "SLACK": "Slack: set both tokens and the bot serves it",
    "OPENAI": "The answering model; without a key or an address answers quote the book",
    "COHERE": "Cohere, for books in other languages than English",
    "QDRANT": "A Qdrant server; without one the index is embedded",
    "AGENT": "How answers are made",
}
"""The first word of a variable's name, and what its part is about."""

_ENV_HEAD = """\
# Copy this file to .env and fill in what you need. Nothing is needed to try Footnote on your own machine.
# Lines that begin with # are comments; a commented variable shows its default.
"""
_PAGE_HEAD = """\
# Settings

Footnote reads these variables from the environment, and from a file `.env` in the folder it is started in;
the environment wins. None is needed to begin. `footnote doctor` checks what you have set, and a value that
cannot be used stops the start with the variable's name and what it must be.
"""


def described_settings() -> list[tuple[str, str, str]]:
    """Variable, default and explanation of every setting, for the docs and the example file."""
    return [
        (each.metadata["variable"], _shown_default(each.default), each.metadata["explained"])
        for each in fields(Settings)
    ]


def _shown_default(default: object) -> str:
    if default is None:
        return ""
    if isinstance(default, bool):
        return "1" if default else "0"
    if isinstance(default, tuple):
        return ",".join(default)
    return str(default)


def env_example() -> str:
    """The text of .env.example: every variable with its explanation and default."""
    parts = [_ENV_HEAD]
    for part, about in PARTS.items():
        lines = [f"# --- {about} ---"]
        for variable, default, explained in _of(part):
            lines += [f"# {explained}", f"#{variable}={default}"]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def settings_page() -> str:
    """The text of docs/settings.md: one table for each part."""
    parts = [_PAGE_HEAD]
    for part, about in PARTS.items():
        rows = [
            f"| `{variable}` | {f'`{default}`' if default else ''} | {explained} |"
            for variable, default, explained in _of(part)
        ]
        parts.append(
            "\n".join([f"## {about}", "", "| variable | default | what it does |", "|---|---|---|", *rows]) + "\n"
        )
    return "\n".join(parts)


def _of(part: str) -> list[tuple[str, str, str]]:
    return [each for each in described_settings() if each[0].partition("_")[0] == part]


if __name__ == "__main__":
    ENV_EXAMPLE.write_text(env_example(), encoding="utf-8")
    SETTINGS_PAGE.write_text(settings_page(), encoding="utf-8")
