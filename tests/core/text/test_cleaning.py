"""Text is what people see."""

import pytest

from core.text.cleaning import cleaned


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        pytest.param("a\u200bb\u200dc\ufeff", "abc", id="zero-width"),
        pytest.param("user\u202etxt.exe", "usertxt.exe", id="bidi-override"),
        pytest.param("\u2066x\u2069", "x", id="bidi-isolate"),
        pytest.param("hi\U000e0049\U000e0067\U000e006e", "hi", id="tags"),
        pytest.param("so\u00adft", "soft", id="soft-hyphen"),
        pytest.param("a\x00b\x1bc", "abc", id="control"),
        pytest.param("line\nnext\ttab", "line\nnext\ttab", id="line-and-tab-stay"),
        pytest.param("Kálmán – 日本 عربي", "Kálmán – 日本 عربي", id="languages-stay"),
        pytest.param("👩\u200d🔬 ❤\ufe0f", "👩\u200d🔬 ❤\ufe0f", id="emoji-stay"),
        pytest.param("e\u0301", "é", id="composed"),
    ],
)
def test_what_nobody_sees_is_gone(raw: str, seen: str) -> None:
    assert cleaned(raw) == seen
