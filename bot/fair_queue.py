"""Who is answered next: one turn at a time per conversation, groups and conversations taking turns (pure)."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

from core.model import SessionKey


@dataclass(frozen=True, slots=True)
class Waiting:
    """A turn in line."""

    turn_id: int
    key: SessionKey


class FairQueue:
    """Turns in line. Within a conversation the order of arrival holds; between them, nobody waits for a crowd.

    Groups take turns, and within a group its conversations do, so that one busy server or one busy thread
    delays the others by one turn at most.
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[SessionKey, deque[int]]] = OrderedDict()
        self._busy: set[SessionKey] = set()
        self._unready: set[int] = set()

    def __len__(self) -> int:
        return sum(len(line) for sessions in self._groups.values() for line in sessions.values())

    def put(self, turn: Waiting, *, is_first: bool = False, is_ready: bool = True) -> None:
        """Let *turn* wait, behind those of its conversation or, if it *is_first*, before them.

        One that is not ready is not taken before `make_ready`; those behind it wait too.
        """
        if not is_ready:
            self._unready.add(turn.turn_id)
        line = self._groups.setdefault(turn.key.group, OrderedDict()).setdefault(turn.key, deque())
        if is_first:
            line.appendleft(turn.turn_id)
        else:
            line.append(turn.turn_id)

    def take(self) -> Waiting | None:
        """The next turn, whose conversation is busy until `release`; None if all that wait are of busy ones."""
        for group, sessions in self._groups.items():
            for key, line in sessions.items():
                if key in self._busy or line[0] in self._unready:
                    continue
                turn = Waiting(line.popleft(), key)
                self._rotate(group, key)
                self._busy.add(key)
                return turn
        return None

    def _rotate(self, group: str, key: SessionKey) -> None:
        sessions = self._groups[group]
        sessions.move_to_end(key)
        if not sessions[key]:
            del sessions[key]
        self._groups.move_to_end(group)
        if not sessions:
            del self._groups[group]

    def make_ready(self, turn_id: int) -> None:
        """The turn may be taken when it is first in its line."""
        self._unready.discard(turn_id)

    def release(self, key: SessionKey) -> None:
        """The conversation's next turn may be taken."""
        self._busy.discard(key)

    def in_order(self) -> Iterator[int]:
        """The waiting turns in about the order they will be taken: round by round, one of each conversation."""
        return iter(_by_round(_by_round(sessions.values()) for sessions in self._groups.values()))


def _by_round(lines: Iterable[Iterable[int]]) -> list[int]:
    """The first of each line, then the second of each, and so on."""
    rounds = [(place, turn_id) for line in lines for place, turn_id in enumerate(line)]
    return [turn_id for _, turn_id in sorted(rounds, key=itemgetter(0))]
