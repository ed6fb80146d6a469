"""Replies within Slack's limits, whatever is in them."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.slack.forms import ask_view, passage_of, search_view
from bot.adapters.slack.layouts import to_draft, to_postings, to_private
from bot.adapters.slack.reading_layouts import home_view, passage_view, results_blocks
from bot.reply import Footnote, Reply, ReplyKind
from core.model import Book, Filters, SearchHit, SearchResults, SessionKey
from core.store.places import Visit
from tests.bot.group import CHUNKS
from tests.bot.scripted import to_chunk
from tests.fakes.slack.limits import MAX_UPDATE_TEXT, check_blocks, check_view, complaints_about, mrkdwn_texts

NONCE = "0123456789abcdef"
HOSTILE = "<!channel> *a* `b` & <@U1> | [1](http://evil.example) " * 3


def note(number: int, *, title: str = "Ownership", url: str = "https://book.example/a?b=1&c=2") -> Footnote:
    return Footnote(number, title, f"Section {number}", "Book › Ownership", url, "quote", f"chunk-{number}")


def reply(text: str, *notes: Footnote, kind: ReplyKind = ReplyKind.ANSWER) -> Reply:
    return Reply(kind, text, footnotes=notes, confidence_level="high")


@given(st.text(max_size=400), st.integers(0, 30), st.sampled_from(["T", "Long title " * 20, HOSTILE, "标题" * 40]))
@settings(max_examples=100, deadline=None)
def test_any_reply_passes_slacks_checks(text: str, count: int, title: str) -> None:
    shown = reply((text or "x") + HOSTILE, *(note(number, title=title) for number in range(1, count + 1)))

    for posting in [*to_postings(shown, nonce=NONCE), *to_private(shown, nonce=NONCE)]:
        assert check_blocks(list(posting.blocks)) is None
        assert 0 < len(posting.text) <= MAX_UPDATE_TEXT
        assert [
            each for text in [posting.text, *mrkdwn_texts(list(posting.blocks))] for each in complaints_about(text)
        ] == []


@pytest.mark.parametrize("length", [8_999, 9_000, 9_001, 30_000])
def test_long_answers_are_split_at_the_limit(length: int) -> None:
    postings = to_postings(reply("x" * length, note(1)), nonce=NONCE)

    assert len(postings) == -(-length // 9_000)
    assert all(check_blocks(list(posting.blocks)) is None for posting in postings)
    assert sum(posting.blocks[0]["text"].count("x") for posting in postings) == length


def test_each_message_of_a_reply_can_be_found_by_its_nonce() -> None:
    postings = to_postings(reply("word " * 5000, note(1)), nonce=NONCE)

    assert [posting.blocks[0]["block_id"] for posting in postings] == [
        f"text:{NONCE}:{place}" for place in range(len(postings))
    ]


def test_notes_stand_below_the_answer() -> None:
    blocks = to_postings(replace(reply("Yes [1].", note(1)), notes=("The *model* was away.",)), nonce=NONCE)[
        0
    ].blocks

    assert blocks[1] == {
        "type": "context",
        "elements": [{"type": "mrkdwn", "text": "The _model_ was away.", "verbatim": True}],
    }


def test_a_notice_has_no_buttons() -> None:
    assert [block["type"] for block in to_postings(Reply.notice("Hello."), nonce=NONCE)[0].blocks] == ["markdown"]


@pytest.mark.parametrize("text", ["", "x", "word " * 9000], ids=["empty", "short", "long"])
def test_a_draft_fits_too(text: str) -> None:
    assert check_blocks(list(to_draft(text, nonce=NONCE).blocks)) is None


def test_twenty_hits_fit_one_message() -> None:
    hit = SearchHit(to_chunk(HOSTILE * 20), 0.87)

    blocks = results_blocks(SearchResults(HOSTILE, (hit,) * 20, 99, Filters()))

    assert check_blocks(blocks) is None
    assert [each for text in mrkdwn_texts(blocks) for each in complaints_about(text)] == []


def test_forms_and_pages_pass_slacks_checks() -> None:
    visit = Visit(SessionKey("slack", "slack:T", "C1", "1.0"), HOSTILE, "2026-01-01T00:00:00Z")
    books = [Book(f"b{number}", HOSTILE) for number in range(120)]

    for view in (
        search_view(books, "x" * 3000, {"channel": "C1"}),
        passage_view(CHUNKS[1]),
        passage_view(to_chunk("word " * 3000)),
        home_view("help " * 900, HOSTILE * 99, [visit] * 5, is_leader=True),
        ask_view("x" * 5000, {"channel": "C1", "thread": "1.0"}),
    ):
        assert check_view(view) is None


@given(st.text(min_size=1, max_size=6000))
@settings(max_examples=50, deadline=None)
def test_a_message_comes_back_from_the_form_letter_by_letter(text: str) -> None:
    assert passage_of(ask_view(text, None)) == text
