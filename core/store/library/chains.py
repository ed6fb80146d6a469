"""The rule that a lesson's chunks form one chain, checked before anything is stored (pure)."""

from collections import defaultdict
from collections.abc import Sequence

from core.errors import LibraryError
from core.model import Chunk
from core.store.library.records import LessonRow


def check_chains(book_id: str, source_file: str, lessons: Sequence[LessonRow], chunks: Sequence[Chunk]) -> None:
    """Refuse chunks that are of another book or file, belong to no lesson, or whose chain has a gap.

    Raises:
        LibraryError: names the file and what is wrong with it.
    """
    by_lesson: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        by_lesson[chunk.parent_id].append(chunk)
    parents = [lesson.parent_id for lesson in lessons]
    if len(set(parents)) < len(parents):
        raise _broken(source_file, "two lessons claim the same place")
    if not set(by_lesson) <= set(parents):
        raise _broken(source_file, "a chunk belongs to no lesson")
    if any(chunk.place.book != book_id or chunk.source_file != source_file for chunk in chunks):
        raise _broken(source_file, "a chunk belongs to another book or file")
    if len({chunk.id for chunk in chunks}) < len(chunks):
        raise _broken(source_file, "two chunks share an id")
    for chain in by_lesson.values():
        _check_chain(source_file, sorted(chain, key=lambda chunk: chunk.index))


def _check_chain(source_file: str, chain: Sequence[Chunk]) -> None:
    ids = [None, *(chunk.id for chunk in chain), None]
    for index, chunk in enumerate(chain):
        neighbours = (ids[index], ids[index + 2])
        is_linked = (chunk.previous_id, chunk.next_id) == neighbours
        if chunk.index != index or chunk.total != len(chain) or not is_linked:
            raise _broken(source_file, f"its chain is broken at chunk {index}")


def _broken(source_file: str, reason: str) -> LibraryError:
    return LibraryError(f"{source_file} cannot be stored: {reason}.", details={"source_file": source_file})
