"""What every part of the library stands on."""

import json
from collections.abc import Iterable

from core.store.database import Database

READABLE = "(books.group_key IS NULL OR ? IS NULL OR books.group_key = ?)"
"""Which books a group may read; takes the group twice. NULL is the operator at this machine, who reads all."""


class Shelf:
    """Holds the database for the parts of the library."""

    def __init__(self, database: Database) -> None:
        self._database = database


def as_array(values: Iterable[str]) -> str:
    """Any number of values as one parameter, read in SQL by json_each."""
    return json.dumps(list(values))
