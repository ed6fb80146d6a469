"""Holds files back until those whose places they take have been read too, so that no text is lost in between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.ingestion.placing import Placed, Placing
from core.ingestion.prepared import PreparedLesson
from core.ingestion.shelving import PlacedFile, to_placed_file
from core.model import Place, parent_id
from core.store.library import FileRecord


@dataclass(slots=True)
class _Gathered:
    """A file that was read and waits to be stored."""

    record: FileRecord
    lessons: Sequence[PreparedLesson]
    places: list[Placed]
    file: PlacedFile


class Gathering:
    """The files of one group, placed as they come.

    *former* are the places that the files to be read have in the library. A file that takes one of another file is
    stored together with that one. Where the other one cannot be read, it keeps its text and its place, and who
    wanted the place gets the next free one.
    """

    def __init__(
        self, placing: Placing, *, former: Mapping[str, Sequence[Place]], base_url: str | None = None
    ) -> None:
        self._placing = placing
        self._base_url = base_url
        self._former = former
        self._owners = {parent_id(place): file for file, places in former.items() for place in places}
        """Whose each place is, of the files that are still to come."""
        self._awaited: set[str] = set()
        self._files: list[_Gathered] = []
        self._kept: set[str] = set()
        """The places that files keep which could not be read."""
        self._displaced: list[tuple[str, str]] = []

    @property
    def is_whole(self) -> bool:
        """Whether the files can be stored without taking a place from one that was not read yet."""
        return not self._awaited

    @property
    def chunk_count(self) -> int:
        return sum(len(each.file.file.chunks) for each in self._files)

    def add(self, record: FileRecord, lessons: Sequence[PreparedLesson]) -> None:
        """Place a file that was read.

        Raises:
            LibraryError: it cannot be placed; it must be told as failed.
        """
        places = [self._placing.place(each.lesson) for each in lessons]
        file = to_placed_file(lessons, places, record=record, base_url=self._base_url)
        self._files.append(_Gathered(record, lessons, places, file))
        for each, placed in zip(lessons, places, strict=True):
            wanted = each.lesson.place.lesson
            if wanted is not None and parent_id(replace(placed.place, lesson=max(0, wanted))) in self._kept:
                self._displaced.append((record.source_file, placed.warnings[0]))
        self._has_come(record.source_file)
        self._await_owners(places)

    def failed(self, source_file: str) -> None:
        """A file could not be read, so what the library has of it stays where it is."""
        self._has_come(source_file)
        kept = {parent_id(place) for place in self._former.get(source_file, ())}
        self._kept |= kept
        self._placing.keep(self._former.get(source_file, ()))
        for each in self._files:
            if any(parent_id(placed.place) in kept for placed in each.places):
                self._give_way(each, kept)

    def displaced(self) -> list[tuple[str, str]]:
        """The files that could not have the place they wanted because another one keeps it, each with a sentence;
        told once.
        """
        displaced, self._displaced = self._displaced, []
        return displaced

    def take(self) -> list[PlacedFile]:
        """The files so far, to be stored in one step."""
        files, self._files = self._files, []
        return [each.file for each in files]

    def _give_way(self, gathered: _Gathered, kept: set[str]) -> None:
        for at, placed in enumerate(gathered.places):
            if parent_id(placed.place) in kept:
                gathered.places[at] = moved = self._placing.moved(placed)
                self._displaced.append((gathered.record.source_file, moved.warnings[0]))
        gathered.file = to_placed_file(
            gathered.lessons, gathered.places, record=gathered.record, base_url=self._base_url
        )
        self._await_owners(gathered.places)

    def _has_come(self, source_file: str) -> None:
        self._awaited.discard(source_file)
        for place in self._former.get(source_file, ()):
            self._owners.pop(parent_id(place), None)

    def _await_owners(self, places: Sequence[Placed]) -> None:
        owners = (self._owners.get(parent_id(placed.place)) for placed in places)
        self._awaited.update(owner for owner in owners if owner is not None)
