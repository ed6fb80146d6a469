"""Puts the parts that a Docusaurus page imports (`import Part from './_part.mdx'`) where it shows them."""

import re
from pathlib import Path

from core.ingestion.readers.fences import stretches
from core.ingestion.readers.front_matter import split_front_matter
from core.ingestion.readers.inclusion import Inclusion, Trail
from core.ingestion.readers.tree import SKIPPED_FOLDERS

_IMPORT = re.compile(
    r"^import\s+(\w{1,100})(?:\s*,\s*\{[^}\n]{0,300}\})?\s+from\s+[\"']([^\"'\n]{1,300}\.mdx?)[\"'];?[ \t]*$",
    re.MULTILINE,
)
_SHOWN = re.compile(r"^([ \t]*)<(\w{1,100})(?:\s[^<>]{0,1000})?(?:/>|>[ \t]*</\2[ \t]*>)[ \t]*$", re.MULTILINE)


class Partials:
    """Fills in the parts of one lesson."""

    def __init__(self, inclusion: Inclusion) -> None:
        self._inclusion = inclusion

    def resolve(self, text: str, file: Path) -> str:
        """The text of *file* with the parts where they are shown; the imports are dropped later, as all are."""
        return self._resolved(text, (file.resolve(),))

    def _resolved(self, text: str, trail: Trail) -> str:
        if "import " not in text or ".md" not in text:
            return text
        imported = _imported(text)
        if not imported:
            return text
        return "".join(
            part if is_code else _SHOWN.sub(lambda tag: self._shown(tag, imported, trail), part)
            for is_code, part in stretches(text)
        )

    def _shown(self, tag: re.Match[str], imported: dict[str, str], trail: Trail) -> str:
        indent, name = tag[1], tag[2]
        if name not in imported:
            return tag[0]
        if not _is_inside(imported[name]):
            self._inclusion.leave_out(imported[name])
            return ""
        opened = self._inclusion.open(imported[name], trail)
        if opened is None:
            return ""
        path, text = opened
        body = split_front_matter(text).body.strip("\n")
        self._inclusion.chars += len(body)
        lines = self._resolved(body, (*trail, path)).split("\n")
        return "\n".join(("", *(f"{indent}{line}" if line else "" for line in lines), ""))


def names_in(text: str) -> list[str]:
    """The files whose parts a page imports."""
    if "import " not in text or ".md" not in text:
        return []
    return [target for target in _imported(text).values() if _is_inside(target)]


def _imported(text: str) -> dict[str, str]:
    """The parts that a page imports, by the names it shows them under."""
    outside_code = (part for is_code, part in stretches(text) if not is_code)
    return {name: target for part in outside_code for name, target in _IMPORT.findall(part)}


def _is_inside(target: str) -> bool:
    """Whether an import names a file by where it stands, in a folder that the walk through the book looks into."""
    folders = [part for part in target.split("/")[:-1] if part not in {".", ".."}]
    is_walked = not any(part.startswith(".") or part in SKIPPED_FOLDERS for part in folders)
    return is_walked and target.startswith(("./", "../"))
