"""What plain words ask for, and what stays a question."""

import pytest

from bot.spoken import Spoken, Wish, to_spoken


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("stop", Spoken(Wish.STOP)),
        ("Please stop!", Spoken(Wish.STOP)),
        ("mute", Spoken(Wish.MUTE)),
        ("unmute please", Spoken(Wish.UNMUTE)),
        ("forget this conversation.", Spoken(Wish.FORGET)),
        ("help", Spoken(Wish.HELP)),
        ("show source 2", Spoken(Wish.SOURCE, 2)),
        ("Show me the footnote [3]", Spoken(Wish.SOURCE, 3)),
        ("source 12", Spoken(Wish.SOURCE, 12)),
        ("when does the loop stop?", None),
        ("how do I mute a warning", None),
        ("what is the source of 2?", None),
        ("help me understand borrowing", None),
        ("", None),
    ],
)
def test_only_a_whole_message_is_a_wish(text: str, meant: Spoken | None) -> None:
    assert to_spoken(text) == meant
