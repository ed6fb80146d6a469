"""What a book says of one thing is not borne out when a claim says it of another, in whatever words."""

import pytest

from core.answering.verifying import Verifier
from core.answering.verifying.faults import Fault
from core.model import FoundChunk
from tests.core.answering.passages import to_chunk

LENSES = (
    "Radial distortion moves points towards or away from the centre, and tangential distortion appears when the "
    "lens is not parallel to the sensor. Two-stage detectors first propose regions and then classify them. "
    "One-stage detectors predict boxes directly in a single pass, which makes them faster.\n\n"
    "- **Redundant** sensors measure the same thing, such as two lidars.\n"
    "- **Complementary** sensors measure different things, such as a gyroscope and an encoder.\n\n"
    "Reliable delivery sounds better, but on a bad wireless link it can be worse."
)
RELEASES = (
    "| Build type | Use it for | Main file |\n| --- | --- | --- |\n"
    "| `ament_python` | Packages with Python nodes only | `setup.py` |\n"
    "| `ament_cmake` | C++ nodes, and all message definitions | `CMakeLists.txt` |\n"
)


async def says_of_another(claim: str, passage: str, section: str = "How it works") -> bool:
    """Whether the passage is found to say it of something else."""
    shelf = [FoundChunk(to_chunk(passage, section), score=1.0)]
    examination = await Verifier(embedder=None).examine(f"{claim[:-1]} [1].", shelf)
    return examination.verdicts[0].fault is Fault.SWAPPED


@pytest.mark.parametrize(
    ("claim", "is_swapped"),
    [
        pytest.param("Tangential distortion pushes points to the centre or away.", True, id="another clause"),
        pytest.param("Radial distortion moves points towards the centre or away.", False, id="its own clause"),
        pytest.param("Two-stage detectors predict boxes directly in one pass.", True, id="the sentence after"),
        pytest.param("One-stage detectors predict boxes directly in one pass.", False, id="its own sentence"),
        pytest.param("Complementary sensors watch the same thing, as two lidars do.", True, id="another item"),
        pytest.param("Redundant sensors watch the same thing, as two lidars do.", False, id="its own item"),
        pytest.param("Reliable delivery can be worse on a bad wireless link.", False, id="goes on with it"),
    ],
)
async def test_prose_says_it_of_the_thing_it_names(claim: str, is_swapped: bool) -> None:
    assert await says_of_another(claim, LENSES) is is_swapped


@pytest.mark.parametrize(
    ("claim", "is_swapped"),
    [
        pytest.param("Message definitions need the build type `ament_python`.", True, id="another row"),
        pytest.param("Message definitions need the build type `ament_cmake`.", False, id="its own row"),
        pytest.param("The `ament_python` type is for Python nodes, `ament_cmake` for messages.", False, id="both"),
    ],
)
async def test_a_row_of_a_table_says_it_of_what_stands_first(claim: str, is_swapped: bool) -> None:
    assert await says_of_another(claim, RELEASES) is is_swapped


async def test_what_a_section_is_named_after_is_meant_where_nothing_else_is_named() -> None:
    steps = (
        "Sort all boxes of a class by score. Keep the best box. Remove every other box that overlaps it too much."
    )

    claim = "Suppression removes every other box that overlaps too much."

    assert not await says_of_another(claim, steps, "Suppression")
