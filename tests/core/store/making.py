"""Small books for the tests of the store."""

from collections import Counter
from collections.abc import Sequence

from core.model import Book, Chunk, Place, chunk_id, parent_id
from core.model.book import content_hash
from core.store.library import FileRecord, LessonRow, Library, Replaced


def make_chunks(texts: Sequence[str], place: Place, *, source_file: str = "a.md") -> list[Chunk]:
    """One chunk for each of *texts*, chained as ingestion chains them."""
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        digest = content_hash(text)
        ids.append(chunk_id(place, digest, occurrence=seen[digest]))
        seen[digest] += 1
    return [
        Chunk(
            id=ids[index],
            text=text,
            place=place,
            parent_id=parent_id(place),
            index=index,
            total=len(texts),
            previous_id=ids[index - 1] if index else None,
            next_id=ids[index + 1] if index + 1 < len(texts) else None,
            page_title="Topics and messages",
            section=("Topics", f"Part {index}"),
            breadcrumb="ROS 2 › First steps",
            url=f"https://example.org/topics#part-{index}",
            source_file=source_file,
            source_file_hash="0" * 64,
            content_hash=content_hash(text),
        )
        for index, text in enumerate(texts)
    ]


def make_lesson(place: Place, *, position: int = 0) -> LessonRow:
    return LessonRow(
        parent_id=parent_id(place),
        title="Topics and messages",
        place=place,
        slug=f"/{place.module}/{place.chapter}/{place.lesson}",
        position=position,
    )


def words(number: int) -> str:
    """A text of which no two are the same."""
    return f"Paragraph number {number} says something about robots."


async def store_file(
    library: Library,
    texts: Sequence[str],
    *,
    place: Place | None = None,
    source_file: str = "a.md",
    file_hash: str = "hash",
    pending: Sequence[str] = (),
) -> Replaced:
    """Replace *source_file* by one lesson of *texts*."""
    place = place or Place("ros", "basics", 1, 1)
    chunks = make_chunks(texts, place, source_file=source_file)
    record = FileRecord(source_file, file_hash)
    return await library.replace_file(place.book, record, [make_lesson(place)], chunks, pending=pending)


async def add_book(library: Library, book_id: str = "ros", *, group: str | None = None, title: str = "") -> None:
    await library.save_book(Book(book_id, title or f"The book of {book_id}", group=group))
