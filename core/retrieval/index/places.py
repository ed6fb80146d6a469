"""Which places an index holds, and which of them a filter lets through."""

import json
from collections.abc import Iterable, Sequence

from core.model import Place
from core.retrieval.index.payload import TENANT, Condition, Scalar

PLACE = "place"
"""The field that holds those below in one word, for an engine that is slow to check one after another."""
FIELDS = (TENANT, "module", "chapter", "hardware_tier", "proficiency_level", "layer")
MOST_PLACES = 4_000
"""Beyond this, naming the places of a filter takes longer than checking its fields."""
MOST_REMEMBERED = 64


def place_key(place: Place) -> str:
    """A place in one word. Without the lesson: whoever asks for one asks for little anyway."""
    fields = (place.book, place.module, place.chapter, place.tier, str(place.level), str(place.layer))
    return json.dumps(fields, ensure_ascii=False)


class Places:
    """The places of an index, and perhaps some that it no longer holds."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._fields: dict[str, dict[str, Scalar]] = {key: _to_fields(key) for key in keys}
        self._remembered: dict[tuple[Condition, ...], tuple[str, ...] | None] = {}

    def __len__(self) -> int:
        return len(self._fields)

    def add(self, places: Iterable[Place]) -> None:
        for key in {place_key(place) for place in places}.difference(self._fields):
            self._fields[key] = _to_fields(key)
            self._remembered.clear()

    def passing(self, conditions: Sequence[Condition]) -> tuple[str, ...] | None:
        """The places for which all *conditions* hold, which name FIELDS only; None where that is every place."""
        asked = tuple(conditions)
        if asked not in self._remembered:
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[asked] = self._passing(asked)
        return self._remembered[asked]

    def _passing(self, conditions: tuple[Condition, ...]) -> tuple[str, ...] | None:
        found = tuple(
            key
            for key, fields in self._fields.items()
            if all(condition.holds_for(fields[condition.field]) for condition in conditions)
        )
        return None if len(found) == len(self._fields) else found


def _to_fields(key: str) -> dict[str, Scalar]:
    return dict(zip(FIELDS, json.loads(key), strict=True))
