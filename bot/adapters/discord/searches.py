"""Searches whose pages are still being turned."""

import secrets
from collections import OrderedDict

from core.model import SearchResults

KEPT = 500
"""Pages of older searches cannot be turned any more; searching again is quick."""


class Searches:
    """The latest results, each by an id that fits in a button."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, SearchResults] = OrderedDict()

    def keep(self, results: SearchResults) -> str:
        search_id = secrets.token_hex(6)
        self._results[search_id] = results
        while len(self._results) > KEPT:
            self._results.popitem(last=False)
        return search_id

    def get(self, search_id: str) -> SearchResults | None:
        return self._results.get(search_id)
