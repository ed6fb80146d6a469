"""Whatever a text holds, it is shown whole, within limits, and acts on nobody."""

import json
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.layouts import progress_layout, reply_layouts
from bot.adapters.slack.layouts import to_postings
from bot.adapters.web.marking import render_marked
from bot.adapters.web.rendering import render
from bot.markup import to_discord, to_mrkdwn, to_plain, to_slack_markdown
from bot.reply import Footnote, Pointer, Reply, ReplyKind
from bot.splitting import shortened, split, units
from bot.surface import Progress
from core.answering.marks import marks, renumbered
from core.answering.verifying.taming import tamed
from tests.bot.markup.test_neutral import active
from tests.fakes.discord.checks import check_message
from tests.fakes.slack.limits import check_blocks, complaints_about, mrkdwn_texts
from tests.hostile.inputs import EVIL, SOUND_TEXTS, TEXTS, hostile

NONCE = "0123456789abcdef"
IS_COMPONENTS_V2 = 1 << 15


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w", text))


@given(TEXTS, st.integers(64, 300))
@hostile(share=3)
def test_parts_fit_and_lose_no_word(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert all(units(part) <= limit for part in parts)
    # A fence that goes on in the next part is opened again, with its language.
    whole = _letters("".join(parts))
    for letter in _letters(text):
        place = whole.find(letter)
        assert place >= 0, "a letter is missing, or stands elsewhere"
        whole = whole[place + 1 :]
    assert units(shortened(text, limit)) <= limit


@given(TEXTS)
@hostile(share=3)
def test_nothing_acts_on_discord(text: str) -> None:
    shown = to_discord(text)

    assert not re.search(r"@(everyone|here)", shown)
    assert not re.search(r"<[@#/]", active(shown))
    assert not re.search(r"\]\(<?https?://evil|https?://evil", active(shown))
    shown.encode()


@given(TEXTS)
@hostile(share=3)
def test_nothing_acts_on_slack(text: str) -> None:
    for shown in (to_mrkdwn(text), to_slack_markdown(text)):
        assert not re.search(r"<[@#!]|@(everyone|here|channel)", shown)
        shown.encode()
    assert not re.search(r"https?://evil", active(to_mrkdwn(text), has_escapes=False))


@given(TEXTS)
@hostile(share=2)
def test_a_terminal_is_only_shown_letters(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", to_plain(text))


# -- whole replies --------------------------------------------------------------------------------------------

URLS = st.sampled_from([EVIL, "javascript:alert(1)", "/read/book/a", "https://book.example/a b(c)>|d", ""])
TITLES = TEXTS.map(lambda text: f"Chapter {text}")
"""Readers give no lesson without a title."""
NOTES = st.builds(
    Footnote,
    number=st.integers(1, 30),
    title=TITLES,
    section=st.one_of(st.none(), TEXTS),
    breadcrumb=TEXTS,
    url=URLS,
    quote=TEXTS,
    chunk_id=st.uuids().map(str),
)
NEAR = st.builds(
    Pointer, title=TITLES, section=st.one_of(st.none(), TEXTS), url=URLS, chunk_id=st.uuids().map(str)
)
REPLIES = st.builds(
    Reply,
    kind=st.sampled_from(ReplyKind),
    text=st.one_of(TEXTS, TEXTS.map(lambda text: text * 30)),
    footnotes=st.lists(NOTES, max_size=8, unique_by=lambda note: note.number).map(tuple),
    nearest=st.lists(NEAR, max_size=3).map(tuple),
    notes=st.lists(TEXTS.map(lambda text: f"Note: {text}"), max_size=2).map(tuple),
    confidence_level=st.sampled_from(["high", "medium", "low", "insufficient"]),
    code=st.sampled_from(["", "invalid", "unavailable"]),
)


@given(REPLIES)
@hostile()
def test_any_reply_is_one_that_discord_takes(reply: Reply) -> None:
    for layout in reply_layouts(reply, NONCE, addressed_to="<@1>"):
        assert layout.content_length() <= 4000
        body = json.loads(json.dumps({"components": layout.to_components()}))  # type: ignore[no-untyped-call]
        check_message(body, flags=IS_COMPONENTS_V2)


@given(TEXTS)
@hostile()
def test_any_words_so_far_are_shown_within_discords_limit(text: str) -> None:
    assert progress_layout(Progress(text=text * 20), NONCE).content_length() <= 4000


@given(REPLIES)
@hostile()
def test_any_reply_is_one_that_slack_takes(reply: Reply) -> None:
    for posting in to_postings(reply, nonce=NONCE):
        assert len(posting.text) <= 4000
        assert check_blocks(json.loads(json.dumps(posting.blocks))) is None
        assert not [each for text in mrkdwn_texts(posting.blocks) for each in complaints_about(text)]


@given(REPLIES)
@hostile()
def test_any_reply_comes_back_from_the_ledger_as_it_was(reply: Reply) -> None:
    assert Reply.from_dict(json.loads(json.dumps(reply.to_dict()))) == reply


# -- the page -------------------------------------------------------------------------------------------------

TAGS = {
    "p",
    "em",
    "strong",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "a",
    "hr",
    "br",
    "span",
    "button",
    "mark",
}
TAGS |= {"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "s"}
ATTRIBUTES = {"href", "title", "target", "rel", "class", "type", "data-number", "aria-label", "start", "style"}


class Strict(HTMLParser):
    """Knows what a page may be made of."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        for name, value in attrs:
            assert name in ATTRIBUTES
            if name == "href":
                assert not re.match(r"\s*(javascript|vbscript|data|file):", value or "", re.IGNORECASE)
            if name == "style":
                assert re.fullmatch(r"text-align:(left|right|center)", value or "")


def check_html(html: str) -> None:
    parser = Strict()
    parser.feed(html)
    parser.close()


@given(TEXTS, st.dictionaries(st.integers(1, 5), TEXTS, max_size=3))
@hostile(share=3)
def test_any_markdown_is_harmless_on_the_page(text: str, footnotes: dict[int, str]) -> None:
    check_html(render(text, footnotes=footnotes))


@given(TEXTS, st.integers(0, 60), st.integers(1, 60))
@hostile(share=2)
def test_any_stretch_can_be_marked_on_the_page(text: str, start: int, length: int) -> None:
    check_html(render_marked(text, text[start : start + length]))


# -- a model's words ------------------------------------------------------------------------------------------


@given(SOUND_TEXTS)
@hostile(share=2)
def test_a_models_words_cannot_act_on_a_reader(text: str) -> None:
    prose = re.sub(r"```.*?(```|\Z)", "", tamed(text), flags=re.DOTALL)

    assert "://evil.example" not in re.sub(r"`[^`\n]+`", "", prose)
    assert not re.search(r"@(everyone|here|channel)\b", prose)
    assert "<script" not in re.sub(r"`[^`\n]+`", "", prose)


@given(SOUND_TEXTS)
@hostile()
def test_marks_are_renumbered_each_by_itself(text: str) -> None:
    numbers = [mark.number for mark in marks(renumbered(text, lambda number: 7))]

    assert numbers == [7] * len(marks(text))
