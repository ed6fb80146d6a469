"""The .env file: what is written in it, and every line of it that cannot be used."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import Original, parse_stream

Written = Mapping[str, str | None]


def read_env_file(path: Path, known: Sequence[str]) -> tuple[Written, list[str]]:
    """The names and values in *path*, and one sentence for each line that is broken or means no *known* name."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return {}, [f"{path} cannot be read: {error}."]
    bindings = list(parse_stream(StringIO(text)))
    broken = [
        f"Line {_line_of(each.original)} of {path} is not of the form NAME=value."
        for each in bindings
        if each.error
    ]
    # The library only logs broken lines; what else is written is still checked.
    written = {each.key: each.value for each in bindings if each.key}
    if not broken:
        written = dict(dotenv_values(stream=StringIO(text)))
    return written, [*broken, *_misspelt(written, known)]


def _line_of(original: Original) -> int:
    """A statement is said to begin with the blank lines before it."""
    blank = original.string[: len(original.string) - len(original.string.lstrip())]
    return original.line + blank.count("\n")


def _misspelt(written: Iterable[str], known: Sequence[str]) -> list[str]:
    """Names that look like ours but are not. The environment may hold such names for others."""
    problems = []
    for name in written:
        if name.startswith("FOOTNOTE_") and name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            problems.append(f"{name} in the .env file is not a setting.{meant}")
    return problems
