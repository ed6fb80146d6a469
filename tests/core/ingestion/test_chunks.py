import pytest

from core.ingestion.chunks import to_chunks
from core.ingestion.lesson import BlockKind, Lesson
from core.model import Place
from tests.core.ingestion.making import a_lesson, prose

PLACE = Place("my book", "ros2", 1, 2)


def _lesson(**given: str) -> Lesson:
    return a_lesson(
        (1, "Nodes"),
        (2, "First part"),
        (BlockKind.PARAGRAPH, prose(200)),
        (2, "Second part"),
        (BlockKind.PARAGRAPH, prose(200, word="other")),
        **given,  # type: ignore[arg-type]
    )


def test_chunks_are_a_chain_of_one_lesson() -> None:
    first, second = to_chunks(_lesson(), PLACE, file_hash="abc")

    assert (first.previous_id, first.next_id) == (None, second.id)
    assert (second.previous_id, second.next_id) == (first.id, None)
    assert first.parent_id == second.parent_id
    assert [(chunk.index, chunk.total) for chunk in (first, second)] == [(0, 2), (1, 2)]
    assert first.section == ("Nodes", "First part")
    assert first.breadcrumb == "Module › Chapter › A lesson"


def test_joined_chunks_are_the_lesson() -> None:
    lesson = _lesson()

    assert "".join(chunk.text for chunk in to_chunks(lesson, PLACE, file_hash="")) == lesson.text


def test_ids_hang_on_place_and_text_alone() -> None:
    ids = [chunk.id for chunk in to_chunks(_lesson(), PLACE, file_hash="a")]
    again = [chunk.id for chunk in to_chunks(_lesson(title="Renamed"), PLACE, file_hash="b", version=2)]
    elsewhere = [chunk.id for chunk in to_chunks(_lesson(), Place("my book", "ros2", 1, 3), file_hash="a")]

    assert ids == again
    assert not set(ids) & set(elsewhere)


def test_the_same_text_twice_in_a_lesson_keeps_two_ids() -> None:
    same = (BlockKind.PARAGRAPH, prose(300))
    chunks = to_chunks(a_lesson((1, "Same"), same, (1, "Same"), same), PLACE, file_hash="")

    assert len({chunk.content_hash for chunk in chunks}) == 1
    assert len({chunk.id for chunk in chunks}) == len(chunks) == 2


def test_a_lesson_of_a_few_letters_has_no_chunk() -> None:
    assert to_chunks(a_lesson((BlockKind.PARAGRAPH, "Hi.")), PLACE, file_hash="") == []


@pytest.mark.parametrize(
    ("slug", "address", "base_url", "expected"),
    [
        pytest.param("part/page", None, None, "/read/my%20book/part/page#first-part", id="our reading page"),
        pytest.param(
            "part/page", None, "https://b.org/docs/", "https://b.org/docs/part/page#first-part", id="a site"
        ),
        pytest.param("", None, "https://b.org", "https://b.org/#first-part", id="the site's first page"),
        pytest.param("b.pdf/3", "b.pdf", "https://b.org", "https://b.org/b.pdf#first-part", id="a file on a site"),
        pytest.param(
            "b.pdf/3", "b.pdf", "https://b.org/b.pdf", "https://b.org/b.pdf#first-part", id="the file itself"
        ),
        pytest.param("b.pdf/3", "b.pdf", None, "/read/my%20book/b.pdf/3#first-part", id="a lesson of a file"),
        pytest.param(
            "a/b", "https://c.org/b", None, "https://c.org/b#first-part", id="a page fetched from a site"
        ),
        pytest.param(
            "ä b/ç", None, "https://b.org", "https://b.org/%C3%A4%20b/%C3%A7#first-part", id="odd letters"
        ),
    ],
)
def test_each_chunk_leads_to_its_section(
    slug: str, address: str | None, base_url: str | None, expected: str
) -> None:
    given = {"slug": slug} if address is None else {"slug": slug, "address": address}

    first = to_chunks(_lesson(**given), PLACE, file_hash="", base_url=base_url)[0]

    assert first.url == expected
