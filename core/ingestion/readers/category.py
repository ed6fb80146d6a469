"""What a Docusaurus folder says about itself in _category_.json or _category_.yml."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from core.ingestion.readers.tree import FoundFile

NAMES = ("_category_.json", "_category_.yml", "_category_.yaml")
MAX_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Category:
    """A folder's title and its place among its neighbours, as far as it gives them."""

    label: str | None = None
    position: float | None = None


NOTHING = Category()


def read_category(files: Mapping[str, FoundFile]) -> Category:
    """What the folder with these *files* says; nothing where it has no such file or a broken one."""
    for name in NAMES:
        if name in files:
            return _category(_loaded(Path(files[name].path)))
    return NOTHING


def _loaded(path: Path) -> object:
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        text = path.read_text("utf-8-sig")
        return json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError, RecursionError):
        return None


def _category(loaded: object) -> Category:
    if not isinstance(loaded, dict):
        return NOTHING
    label, position = loaded.get("label"), loaded.get("position")
    is_number = isinstance(position, int | float) and not isinstance(position, bool)
    return Category(
        label=" ".join(label.split()) if isinstance(label, str) and label.strip() else None,
        position=float(position) if is_number and position is not None else None,
    )
