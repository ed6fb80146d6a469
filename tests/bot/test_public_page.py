"""Links to our own page, from a chat."""

import pytest

from bot.public_page import PublicPage
from bot.reply import Footnote, Pointer, Reply, ReplyKind


@pytest.mark.parametrize(
    ("address", "url", "shown"),
    [
        ("https://bot.example/", "/read/b/x#y", "https://bot.example/read/b/x#y"),
        ("https://bot.example/sub", "/read/b", "https://bot.example/sub/read/b"),
        ("https://bot.example", "https://book.example/x", "https://book.example/x"),
        (None, "/read/b/x", "/read/b/x"),
    ],
)
def test_a_path_on_our_page_becomes_an_address(address: str | None, url: str, shown: str) -> None:
    assert PublicPage(address).url(url) == shown


def test_every_link_of_a_reply_can_be_followed() -> None:
    note = Footnote(1, "T", None, "", "/read/b/x", "q", "c")
    reply = Reply(ReplyKind.ANSWER, "Yes [1].", footnotes=(note,), nearest=(Pointer("T", None, "/read/b/y", "c"),))

    shown = PublicPage("https://bot.example").reply(reply)

    assert shown.footnotes[0].url == "https://bot.example/read/b/x"
    assert shown.nearest[0].url == "https://bot.example/read/b/y"
