import pytest

from core.errors import UnreadableFile
from core.ingestion.readers.decoding import decode, tidy


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param("\u200b", id="zero width space"),
        pytest.param("\u202e", id="right-to-left override"),
        pytest.param("\u2066", id="isolate"),
        pytest.param("\u00ad", id="soft hyphen"),
        pytest.param("\ufeff", id="byte order mark inside"),
        pytest.param("\U000e0049\U000e0047", id="tag letters"),
        pytest.param("\ufe01\U000e0101", id="variation selectors"),
        pytest.param("\u3164", id="filler"),
        pytest.param("\x00\x07\x1b", id="control characters"),
    ],
)
def test_what_a_person_cannot_see_is_taken_out(hidden: str) -> None:
    assert tidy(f"be{hidden}fore") == "before"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("می\u200cخواهم", id="Persian joiner"),
        pytest.param("👩\u200d🔬 and ❤\ufe0f", id="emoji"),
        pytest.param("tab\tand\nline", id="tabs and lines"),
        pytest.param("naïve façade 漢字 ∑", id="letters of all kinds"),
    ],
)
def test_what_a_person_needs_stays(text: str) -> None:
    assert tidy(text) == text


@pytest.mark.parametrize("mark", ["\r\n", "\r", "\u2028", "\u0085"])
def test_every_line_end_becomes_a_plain_one(mark: str) -> None:
    assert tidy(f"oné{mark}two") == "oné\ntwo"


def test_a_few_bad_bytes_are_shown_and_counted() -> None:
    decoded = decode(b"caf\xe9 and na\xefve words enough to be text", name="x.md")

    assert decoded.text.startswith("caf\ufffd and na\ufffdve")
    assert "2 unreadable characters" in decoded.warnings[0]


def test_bytes_that_nobody_wrote_as_text_are_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"x\.md is not a text file"):
        decode(bytes(range(32)) * 50, name="x.md")
