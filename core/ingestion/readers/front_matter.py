"""The YAML block at the head of a lesson, read without trusting it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

MAX_FRONT_MATTER_CHARS = 64 * 1024

_FENCED = re.compile(r"\A\s*---[ \t]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# The C parser recurses: a deep enough nest ends the process, so it never gets to see one.
_MAX_BRACKETS = 1000
_DEEP_LINE = re.compile(r"(?:[-?][ \t]+){20}|^[ \t]{200}", re.MULTILINE)
# A few aliases are somebody's shorthand; many of them multiply into gigabytes.
_MAX_ALIASES = 20
_ALIAS = re.compile(r"(?:^|[\s,\[{:])\*[\w-]+")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a lesson says about itself, and the text after it."""

    body: str
    fields: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def text(self, *names: str) -> str | None:
        """The first of these fields that holds a word or a number, as text."""
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, str) and value.strip():
                return " ".join(value.split())
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
        return None

    def number(self, *names: str) -> int | None:
        """The first of these fields that is a whole number from 0 up, also when written as text."""
        for name in names:
            value = self.text(name)
            if value is None:
                continue
            found = re.fullmatch(r"(?:[A-Za-z]+[ _-]?)?(\d{1,6})(?:\.0)?", value)
            if found:
                return int(found[1])
        return None


def split_front_matter(text: str) -> FrontMatter:
    """Part a lesson's front matter from its body. What cannot be read becomes a warning, never an error."""
    if not text.lstrip("\n \t").startswith("---"):
        return FrontMatter(text)
    found = _FENCED.match(text[: MAX_FRONT_MATTER_CHARS + 100])
    if not found or not _looks_like_yaml(found[1]):
        return FrontMatter(text)
    body, block = text[found.end() :], found[1]
    danger = _danger(block)
    if danger:
        return FrontMatter(body, warnings=(f"The front matter {danger} and was not read.",))
    try:
        loaded = yaml.load(block, Loader=_safe_loader())  # noqa: S506  # it is a safe loader, the C one
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return FrontMatter(body, warnings=(_broken(error),))
    return _from_fields(loaded, body)


def _from_fields(loaded: object, body: str) -> FrontMatter:
    if loaded is None:
        return FrontMatter(body)
    if not isinstance(loaded, dict):
        return FrontMatter(body, warnings=("The front matter is not a list of fields and was not read.",))
    return FrontMatter(body, {str(key): value for key, value in loaded.items()})


def _looks_like_yaml(block: str) -> bool:
    """Tell front matter from a text that merely opens with a rule and has another further down."""
    lines = [line for line in block.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return not lines or any(re.match(r"\s*[\"']?[\w .-]+[\"']?\s*:(\s|$)|\s*[\[{]", line) for line in lines)


def _safe_loader() -> type[yaml.SafeLoader]:
    """Safe loading, at C speed where PyYAML was built with it."""
    loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return loader


def _danger(block: str) -> str | None:
    if len(block) > MAX_FRONT_MATTER_CHARS:
        return f"is longer than {MAX_FRONT_MATTER_CHARS // 1024} KB"
    if block.count("[") + block.count("{") > _MAX_BRACKETS or _DEEP_LINE.search(block):
        return "is nested too deeply"
    if "&" in block and len(_ALIAS.findall(block)) > _MAX_ALIASES:
        return "repeats itself through aliases"
    return None


def _broken(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f" at line {mark.line + 2}" if mark is not None else ""
    return f"The front matter is not valid YAML{where} and was not read."
