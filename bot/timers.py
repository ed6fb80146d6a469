"""Things to do a little later, at most one per key."""

import asyncio
from collections.abc import Callable, Hashable


class Timers:
    """Timers by key. Setting one again moves it."""

    def __init__(self) -> None:
        self._handles: dict[Hashable, asyncio.TimerHandle] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._handles

    def set(self, key: Hashable, seconds: float, act: Callable[[], None]) -> None:
        """Call *act* in *seconds*, instead of what was set for *key* before."""
        if (earlier := self._handles.pop(key, None)) is not None:
            earlier.cancel()

        def fire() -> None:
            self._handles.pop(key, None)
            act()

        self._handles[key] = asyncio.get_running_loop().call_later(max(0.0, seconds), fire)

    def cancel_all(self) -> None:
        for handle in self._handles.values():
            handle.cancel()
        self._handles.clear()
