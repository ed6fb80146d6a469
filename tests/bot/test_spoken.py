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
        ("hello", Spoken(Wish.GREETING)),
        ("Good morning everyone!", Spoken(Wish.GREETING)),
        ("thanks!", Spoken(Wish.THANKS)),
        ("Great, thank you so much", Spoken(Wish.THANKS)),
        ("ok", Spoken(Wish.NOTHING)),
        ("Ah, I see.", Spoken(Wish.NOTHING)),
        ("👍", Spoken(Wish.NOTHING)),
        (":thumbsup: :tada:", Spoken(Wish.NOTHING)),
        ("<:party:123456789012345678> 🎉!", Spoken(Wish.NOTHING)),
        ("hello world in ROS 2", None),
        ("thanks to whom did SLAM get its name?", None),
        ("ok, but why?", None),
        ("is that right", None),
        ("?", None),
        ("🤔?", None),
        ("7", None),
        ("x := 2", None),
    ],
)
def test_only_a_whole_message_is_a_wish(text: str, meant: Spoken | None) -> None:
    assert to_spoken(text) == meant
