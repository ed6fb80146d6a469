"""Questions as JSON, so that one can be answered by a process that never saw its event (pure)."""

import json
from dataclasses import asdict
from typing import Any

from core.model import Filters, Layer, Level, Question, Selection, SessionKey


def to_json(question: Question) -> str:
    """All of *question* as text."""
    return json.dumps(asdict(question), ensure_ascii=False)


def from_json(stored: str) -> Question:
    """The question that was stored, checked again as if it were new."""
    fields: dict[str, Any] = json.loads(stored)
    filters = dict(fields.pop("filters"))
    filters["books"] = tuple(filters["books"])
    filters["levels"] = tuple(Level(level) for level in filters["levels"])
    filters["layer"] = Layer(filters["layer"]) if filters["layer"] else None
    key = SessionKey(**fields.pop("key"))
    selection = Selection(fields.pop("selection"))
    return Question(**fields, filters=Filters(**filters), key=key, selection=selection)
