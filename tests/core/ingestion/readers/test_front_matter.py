import pytest

from core.ingestion.readers.front_matter import split_front_matter


def test_fields_and_body_are_parted() -> None:
    front = split_front_matter("---\ntitle: 'A: b'\nchapter: 3\n---\n# Body\n")

    assert (front.text("title"), front.number("chapter")) == ("A: b", 3)
    assert front.body == "# Body\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [("3", 3), ("'3'", 3), ("chapter-3", 3), ("3.5", None), ("three", None), ("true", None)],
)
def test_numbers_are_found_however_they_are_written(written: str, expected: int | None) -> None:
    assert split_front_matter(f"---\nchapter: {written}\n---\nx").number("chapter") == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("No front matter here.\n", id="none"),
        pytest.param("---\nJust a rule, then words.\n\n---\nmore\n", id="a rule that opens the text"),
        pytest.param("---\ntitle: never closed\n", id="never closed"),
    ],
)
def test_what_is_not_front_matter_stays_in_the_body(text: str) -> None:
    assert split_front_matter(text).body == text


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        pytest.param("a: " + "[" * 2_000, "nested too deeply", id="deep nesting"),
        pytest.param("a: &a [x]\nb: [" + ",".join(["*a"] * 50) + "]", "repeats itself", id="alias bomb"),
        pytest.param("a: [unclosed", "not valid YAML", id="broken"),
        pytest.param("a: 2024-99-99", "not valid YAML", id="a date that cannot be"),
        pytest.param("- a: 1\n- b: 2", "not a list of fields", id="a list"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_body_still_comes(block: str, reason: str) -> None:
    front = split_front_matter(f"---\n{block}\n---\nThe body.\n")

    assert reason in front.warnings[0]
    assert front.body == "The body.\n"
    assert not front.fields
