"""A book's words are known, soon after it opens and after it changes."""

from pathlib import Path

from core.model import Place
from core.retrieval.vocabulary import Vocabularies, Vocabulary
from core.store.library import FileRecord
from tests.core.retrieval.shelf import open_shelf
from tests.core.store.making import make_chunks, make_lesson


async def test_the_rarer_a_word_the_more_it_weighs(tmp_path: Path) -> None:
    async with open_shelf(tmp_path) as shelf:
        words = await Vocabularies(library=shelf.library).of(("robots",))

    assert words.is_complete
    assert words.rarity("quaternion") > words.rarity("node") > 0
    assert words.rarity("nowher") > words.rarity("quaternion")
    assert words.acronyms["IMU"] == "inertial measurement unit"
    assert "quaternion" in words.spellings["q"]


async def test_a_changed_book_is_read_again(tmp_path: Path) -> None:
    place = Place("robots", "ros2", 9, 9)
    async with open_shelf(tmp_path) as shelf:
        vocabularies = Vocabularies(library=shelf.library)
        before = await vocabularies.of(("robots",))
        chunks = make_chunks(["A gripper holds things."], place, source_file="new.md")
        record = FileRecord("new.md", "1" * 64)
        await shelf.library.replace_file("robots", record, [make_lesson(place, position=9)], chunks)
        after = await vocabularies.of(("robots",))

    assert not before.has("gripper")
    assert after.has("gripper")


async def test_a_question_does_not_wait_for_a_book_that_takes_long(tmp_path: Path) -> None:
    async with open_shelf(tmp_path) as shelf:
        vocabularies = Vocabularies(library=shelf.library, patience_seconds=0)
        early = (await vocabularies.of(("robots",))).is_complete
        patient = await Vocabularies(library=shelf.library).of(("robots",))

    assert not early
    assert patient.is_complete


def test_two_books_together_have_the_words_of_both() -> None:
    together = Vocabulary(chunk_count=2, is_complete=True)
    together.occurrences.update(["node"])
    other = Vocabulary(chunk_count=3, acronyms={"IMU": "unit"}, is_complete=True)
    other.occurrences.update(["node", "link"])

    together.join(other)

    assert together.chunk_count == 5
    assert together.occurrences == {"node": 2, "link": 1}
    assert together.acronyms == {"IMU": "unit"}
