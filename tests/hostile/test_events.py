"""Whatever an event of a platform says, it becomes words, a question within its limits, or nothing."""

from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord import target as discord_target
from bot.adapters.discord import words as discord_words
from bot.adapters.discord.client import intents
from bot.adapters.discord.custom_ids import from_custom_id, part_of, to_custom_id, to_mark
from bot.adapters.slack import target as slack_target
from bot.adapters.slack import words as slack_words
from bot.incoming import Incoming
from bot.search_words import from_fields, to_search
from bot.splitting import units
from bot.spoken import to_spoken
from bot.uploads import READABLE_SUFFIXES, check_name, to_book_id
from core.errors import LibraryError, QuestionError
from core.model import Question
from core.model.limits import MAX_QUESTION_CHARS
from tests.hostile.inputs import JSON, LINES, SOUND_TEXTS, TEXTS, hostile

BOT = "U0BOT"
ME, OTHER, GUILD, CHANNEL = 1, 2, 3, 4

# -- Slack --------------------------------------------------------------------------------------------------

ATTACHMENTS = st.lists(
    st.fixed_dictionaries({}, optional={"is_share": JSON, "is_msg_unfurl": JSON, "text": JSON, "fallback": JSON}),
    max_size=3,
)
SLACK_EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "user": st.one_of(st.none(), st.sampled_from([BOT, "U1", "USLACKBOT"]), SOUND_TEXTS),
        "text": st.one_of(st.none(), TEXTS, TEXTS.map(lambda text: f"<@{BOT}> {text}")),
        "subtype": st.one_of(st.none(), st.sampled_from(["file_share", "bot_message", "me_message"]), SOUND_TEXTS),
        "channel": JSON,
        "ts": JSON,
        "bot_id": JSON,
        "hidden": JSON,
        "attachments": st.one_of(st.none(), ATTACHMENTS),
    },
)


@given(SLACK_EVENTS)
@hostile(share=3)
def test_any_slack_message_becomes_plain_words(event: dict[str, Any]) -> None:
    assert slack_words.is_said_by_person(event, BOT) in (True, False)
    assert slack_words.is_for_others(event, BOT) in (True, False)

    question, quote = slack_words.question_and_quote(event, BOT)

    assert question == question.strip()
    assert f"<@{BOT}>" not in question
    assert isinstance(quote, str)
    assert isinstance(slack_words.text_of(event), str)
    ask(question, quote)


@given(SOUND_TEXTS, SOUND_TEXTS, SOUND_TEXTS, st.lists(SOUND_TEXTS, max_size=3))
@hostile()
def test_where_a_reply_goes_survives_a_restart(one: str, two: str, three: str, notes: list[str]) -> None:
    thread = slack_target.ThreadTarget(one, two, three, one, since=two, notes=tuple(notes))
    assert slack_target.from_json(thread.to_json()) == thread
    message = discord_target.MessageTarget(1, 2, title=one, notes=tuple(notes))
    assert discord_target.from_json(message.to_json()) == message
    pressed = discord_target.InteractionTarget(1, two, 2, question=three, notes=tuple(notes))
    assert discord_target.from_json(pressed.to_json()) == pressed


# -- Discord ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> tuple[Any, discord.TextChannel]:
    """The library's own memory of a server, as after logging in."""
    state = discord.Client(intents=intents(reads_content=True))._connection
    state.user = discord.ClientUser(state=state, data=user(ME, "Footnote", is_bot=True))
    channel = {"id": str(CHANNEL), "type": 0, "name": "general", "position": 0, "permission_overwrites": []}
    role = {"id": "9", "name": "Footnote", "permissions": "0", "position": 1, "tags": {"bot_id": str(ME)}}
    guild = {
        "id": str(GUILD),
        "name": "Group",
        "channels": [channel],
        "roles": [role],
        "members": [],
        "emojis": [],
    }
    joined = state._add_guild_from_data(guild)  # type: ignore[arg-type]
    found = joined.get_channel(CHANNEL)
    assert isinstance(found, discord.TextChannel)
    return state, found


def user(number: int, name: str, *, is_bot: bool = False) -> Any:
    return {
        "id": str(number),
        "username": name,
        "discriminator": "0",
        "avatar": None,
        "global_name": None,
        "bot": is_bot,
    }


EMPTY_MESSAGE = {
    "id": "5",
    "channel_id": str(CHANNEL),
    "author": user(OTHER, "ann"),
    "timestamp": "2026-01-01T00:00:00+00:00",
    "edited_timestamp": None,
    "type": 0,
    "flags": 0,
    **dict.fromkeys(("attachments", "components", "embeds", "mentions", "mention_roles"), ()),
    **dict.fromkeys(("mention_everyone", "pinned", "tts"), False),
}
EMBEDS = st.lists(
    st.fixed_dictionaries({"type": st.just("rich")}, optional={"title": TEXTS, "description": TEXTS}), max_size=2
)
DISCORD_MESSAGES = st.fixed_dictionaries(
    {"content": st.one_of(TEXTS, TEXTS.map(lambda text: f"<@{ME}> {text}"))},
    optional={
        "embeds": EMBEDS,
        "mention_everyone": st.booleans(),
        "mentions": st.lists(st.builds(user, st.integers(1, 2**63), TEXTS.filter(bool)), max_size=2),
        "mention_roles": st.lists(st.integers(1, 20).map(str), max_size=2),
        "type": st.integers(0, 60),
        "flags": st.integers(0, 2**20),
    },
)


@given(DISCORD_MESSAGES)
@hostile(share=3)
def test_any_discord_message_becomes_plain_words(
    server: tuple[Any, discord.TextChannel], said: dict[str, Any]
) -> None:
    state, channel = server
    data = {**EMPTY_MESSAGE, **said}

    message = discord.Message(state=state, channel=channel, data=data)  # type: ignore[arg-type]
    question = discord_words.question_of(message, state.user)

    assert f"<@{ME}>" not in question
    assert discord_words.is_addressed(message, state.user) in (True, False)
    assert discord_words.is_for_others(message, state.user) in (True, False)
    assert isinstance(discord_words.text_of(message), str)
    ask(question, discord_words.text_of(message))


@given(TEXTS)
@hostile()
def test_a_thread_has_a_name_that_discord_takes_and_that_pings_nobody(text: str) -> None:
    name = discord_words.thread_name(text)

    assert 0 < units(name) <= discord_words.MAX_THREAD_NAME
    assert "\n" not in name
    assert "@" not in name
    assert not any(sign in name for sign in "*`|")


@given(TEXTS)
@hostile()
def test_only_buttons_of_ours_are_pressed(custom_id: str) -> None:
    pressed = from_custom_id(custom_id)

    assert pressed is None or custom_id.startswith(f"fn:{pressed.verb}")


@given(st.from_regex(r"[a-z]{1,8}", fullmatch=True), LINES)
@hostile()
def test_a_button_says_when_pressed_what_it_was_made_with(verb: str, about: str) -> None:
    pressed = from_custom_id(to_custom_id(verb, about))

    assert pressed is not None
    assert (pressed.verb, pressed.about) == (verb, about)


@given(st.from_regex(r"[0-9a-f]{16}", fullmatch=True), st.integers(0, 62), st.integers(0, 2**31))
@hostile()
def test_a_part_of_a_reply_knows_itself_again(nonce: str, part: int, other: int) -> None:
    mark = to_mark(nonce, part)

    assert 0 < mark < 2**31
    assert part_of(mark, nonce) == part
    assert part_of(other, nonce) in (None, *range(-1, 64))


# -- words of members -----------------------------------------------------------------------------------------


def ask(text: str, selected: str = "") -> None:
    """A question that can be stored and comes back as it was, or a sentence about what is wrong with it."""
    try:
        question = Question(text, selected_text=selected)
    except QuestionError:
        return
    assert 0 < len(question.text) <= MAX_QUESTION_CHARS
    question.text.encode()
    (question.selected_text or "").encode()
    incoming = Incoming("test:1", "m", "Member", question)
    assert incoming.to_new_turn().question == question


@given(TEXTS, TEXTS)
@hostile(share=2)
def test_any_words_are_a_question_or_refused_in_words(text: str, selected: str) -> None:
    ask(text, selected)


@given(TEXTS)
@hostile(share=2)
def test_any_search_line_is_understood_or_refused_in_words(line: str) -> None:
    try:
        query = to_search(line)
    except QuestionError:
        return
    assert 1 <= query.limit <= 20
    query.text.encode()
    for number in (query.filters.chapter_min, query.filters.chapter_max, query.filters.lesson):
        assert number is None or 0 <= number < 2**63, "what the index and the database can compare"


FIELDS = ("book", "module", "chapter", "lesson", "level", "tier", "layer", "limit")
VALUES = st.one_of(
    TEXTS, st.sampled_from(["1", "-1", "1-2", "2-1", "²", "٣", "A1,B2", "L4", "9" * 30, "9" * 5000])
)


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4))
@hostile(share=2)
def test_any_search_form_is_understood_or_refused_in_words(given_fields: dict[str, str]) -> None:
    try:
        query = from_fields("some words", given_fields)
    except QuestionError:
        return
    for number in (query.filters.chapter_min, query.filters.chapter_max, query.filters.lesson):
        assert number is None or 0 <= number < 2**63


@given(TEXTS)
@hostile()
def test_any_words_are_a_wish_or_none(text: str) -> None:
    spoken = to_spoken(text)

    assert spoken is None or 0 <= spoken.number < 100


@given(TEXTS, TEXTS)
@hostile()
def test_a_file_name_is_one_name_in_its_folder(name: str, group: str) -> None:
    book_id = to_book_id(name, group.encode(errors="replace").decode())
    assert book_id.replace("-", "").isalnum()
    assert book_id.isascii()
    try:
        bare = check_name(name)
    except LibraryError:
        return
    assert "/" not in bare
    assert "\\" not in bare
    assert bare.lower().endswith(READABLE_SUFFIXES)
    assert bare not in {".", ".."}
