"""What may be asked of ingestion."""

import pytest

from core.errors import LibraryError
from core.ingestion.request import MAX_ID_CHARS, IngestRequest, Mode


@pytest.mark.parametrize("book", ["robots", "Rust-2024", "a", "v1.2_draft", "x" * MAX_ID_CHARS])
def test_an_id_that_fits_in_an_address_is_taken(book: str) -> None:
    assert IngestRequest("folder", book).book == book


@pytest.mark.parametrize(
    ("book", "proposed"),
    [
        pytest.param("bad id!", "bad-id", id="blank"),
        pytest.param("", "book", id="empty"),
        pytest.param("../etc", "etc", id="path"),
        pytest.param("Café Crème", "Cafe-Creme", id="accents"),
        pytest.param("日本", "book", id="another script"),
        pytest.param("-x", "x", id="looks like an option"),
        pytest.param("x" * (MAX_ID_CHARS + 1), "x" * MAX_ID_CHARS, id="too long"),
    ],
)
def test_another_id_is_refused_and_one_that_fits_is_proposed(book: str, proposed: str) -> None:
    with pytest.raises(LibraryError) as caught:
        IngestRequest("folder", book)

    assert caught.value.details["proposed"] == proposed
    assert IngestRequest("folder", proposed).book == proposed


def test_a_mode_may_be_named_by_its_word() -> None:
    assert IngestRequest("folder", "robots", mode="full").mode is Mode.FULL  # type: ignore[arg-type]
    with pytest.raises(LibraryError, match="incremental, full, recreate"):
        IngestRequest("folder", "robots", mode="partial")  # type: ignore[arg-type]
