"""The local Slack is as strict as the real one: what it lets pass, Slack lets pass."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import LocalSlack
from tests.fakes.slack.control import add_control
from tests.fakes.slack.server import APP_TOKEN

QUIET: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    server = LocalSlack(ack_seconds=0.05, retry_pauses=(0.0, 0.01, 0.01), stream_seconds=0.1)
    add_control(server)
    async with server:
        yield server


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
def client(slack: LocalSlack, session: aiohttp.ClientSession) -> AsyncWebClient:
    return AsyncWebClient(token=slack.team.token, base_url=slack.api_url, session=session, retry_handlers=[])


@pytest.fixture
def channel(slack: LocalSlack) -> str:
    return slack.world.add_channel("general", team=slack.team.id)


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({"blocks": [{"type": "divider"}] * 51}, "invalid_blocks"),
        ({"blocks": [section("x" * 3001)]}, "invalid_blocks"),
        ({"blocks": [{"type": "markdown", "text": "x" * 12001}]}, "msg_blocks_too_long"),
        ({"blocks": [{"type": "header", "text": {"type": "plain_text", "text": "x" * 151}}]}, "invalid_blocks"),
        ({"blocks": [{"type": "unknown"}]}, "invalid_blocks"),
        ({"text": "x", "thread_ts": "1.0"}, "thread_not_found"),
        ({"text": "x", "channel": "C0NOWHERE"}, "channel_not_found"),
    ],
    ids=["blocks", "section", "markdown", "header", "unknown block", "no thread", "no channel"],
)
async def test_what_slack_refuses_is_refused(
    client: AsyncWebClient, channel: str, content: dict[str, Any], error: str
) -> None:
    given = {"channel": channel, "text": "t", **QUIET, **content}

    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(**given)

    assert refused.value.response["error"] == error


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"text": "<!channel> look"}, "pings"),
        ({"text": "a & b"}, "not escaped"),
        ({"text": "t", "blocks": [section("<@U1>")]}, "pings"),
        ({"text": "t", "unfurl_links": True}, "unfurling"),
    ],
)
async def test_what_slack_takes_but_people_regret_is_complained_about(
    slack: LocalSlack, client: AsyncWebClient, channel: str, content: dict[str, Any], complaint: str
) -> None:
    await client.chat_postMessage(**{"channel": channel, **QUIET, **content})

    assert complaint in " ".join(slack.complaints)


async def test_a_busy_channel_refuses_with_the_seconds_to_wait(client: AsyncWebClient, channel: str) -> None:
    async def flood() -> None:
        for _ in range(10):
            await client.chat_postMessage(channel=channel, text="x", **QUIET)

    with pytest.raises(SlackApiError) as refused:
        await flood()

    assert refused.value.response["error"] == "ratelimited"
    assert refused.value.response.headers["Retry-After"] == "1"


async def test_an_event_nobody_takes_is_delivered_four_times(slack: LocalSlack, channel: str) -> None:
    ann = slack.world.add_user("ann", team=slack.team.id)

    slack.people.says(ann, channel, "hello")
    taken = await asyncio.gather(*slack.people.deliveries)

    assert taken == [False]
    assert len(slack.sockets.unacked) == 1


async def test_a_ticket_opens_one_connection(slack: LocalSlack, session: aiohttp.ClientSession) -> None:
    url = (
        await AsyncWebClient(base_url=slack.api_url, session=session).apps_connections_open(app_token=APP_TOKEN)
    )["url"]
    async with session.ws_connect(url) as socket:
        assert (await socket.receive_json())["type"] == "hello"

    with pytest.raises(aiohttp.WSServerHandshakeError):
        await session.ws_connect(url)


async def test_a_stream_has_its_clock_and_its_rules(
    slack: LocalSlack, client: AsyncWebClient, channel: str
) -> None:
    root = (await client.chat_postMessage(channel=channel, text="x", **QUIET))["ts"]
    with pytest.raises(SlackApiError, match="missing_recipient_team_id"):
        await client.chat_startStream(channel=channel, thread_ts=root)
    who: dict[str, Any] = {"recipient_team_id": slack.team.id, "recipient_user_id": "U1"}
    ts = (await client.chat_startStream(channel=channel, thread_ts=root, markdown_text="One. ", **who))["ts"]
    with pytest.raises(SlackApiError, match="streaming_state_conflict"):
        await client.chat_update(channel=channel, ts=ts, text="x")
    slack.world.streams[ts].started -= 1

    with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
        await client.chat_appendStream(channel=channel, ts=ts, markdown_text="Two.")


async def test_an_unknown_method_is_a_complaint(slack: LocalSlack, client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError, match="unknown_method"):
        await client.api_call("made.up")

    assert slack.complaints == ["unknown method made.up"]


async def test_the_page_shows_what_is_said(
    slack: LocalSlack, session: aiohttp.ClientSession, channel: str
) -> None:
    ann = slack.world.add_user("ann", team=slack.team.id)
    said = {"user": ann, "channel": channel, "text": "@Footnote what is <this>?"}

    async with session.post(f"{slack.base}/_control/says", json=said) as answer:
        ts = (await answer.json())["ts"]
    async with session.get(f"{slack.base}/", params={"channel": channel, "thread": ts}) as answer:
        page = await answer.text()
    async with session.get(f"{slack.base}/_control/state") as answer:
        state = await answer.json()

    assert "@Footnote what is &lt;this&gt;?" in page
    assert list(state["messages"][channel]) == [ts]


async def test_arguments_that_slack_does_not_know_are_complained_about(
    slack: LocalSlack, client: AsyncWebClient, channel: str
) -> None:
    await client.chat_postMessage(channel=channel, text="hello", **QUIET, colour="red")

    assert slack.complaints == ["chat.postMessage takes no colour"]


@pytest.mark.parametrize(
    "chunk",
    [
        {"type": "task_update", "id": "1", "title": "Reading", "status": "busy"},
        {"type": "task_update", "id": "1", "title": "x" * 257, "status": "complete"},
        {"type": "task_update", "title": "Reading", "status": "complete"},
        {"type": "markdown_text", "markdown": "hello"},
        {"type": "card"},
    ],
    ids=["state", "long title", "no id", "field", "kind"],
)
async def test_a_stream_takes_only_the_pieces_it_knows(
    slack: LocalSlack, client: AsyncWebClient, channel: str, chunk: dict[str, Any]
) -> None:
    user = slack.world.add_user("ann", team=slack.team.id)
    root = slack.people.says(user, channel, "hello")
    whom: Any = {"recipient_team_id": slack.team.id, "recipient_user_id": user}

    with pytest.raises(SlackApiError, match="invalid_chunks"):
        await client.chat_startStream(channel=channel, thread_ts=root["ts"], chunks=[chunk], **whom)


async def test_a_stream_stands_under_the_first_message_of_a_thread(
    slack: LocalSlack, client: AsyncWebClient, channel: str
) -> None:
    user = slack.world.add_user("ann", team=slack.team.id)
    root = slack.people.says(user, channel, "hello")
    reply = slack.people.says(user, channel, "and?", thread=root["ts"])
    whom: Any = {"recipient_team_id": slack.team.id, "recipient_user_id": user}

    with pytest.raises(SlackApiError, match="invalid_thread_ts"):
        await client.chat_startStream(channel=channel, thread_ts=reply["ts"], markdown_text="x", **whom)


async def test_statuses_are_counted_by_the_channel(
    slack: LocalSlack, client: AsyncWebClient, channel: str
) -> None:
    other = slack.world.add_channel("other", team=slack.team.id)
    user = slack.world.add_user("ann", team=slack.team.id)
    here, there = (slack.people.says(user, place, "hello")["ts"] for place in (channel, other))

    async def show(place: str, thread: str, *, times: int = 1) -> None:
        for _ in range(times):
            await client.assistant_threads_setStatus(channel_id=place, thread_ts=thread, status="is reading …")

    with pytest.raises(SlackApiError, match="ratelimited"):
        await show(channel, here, times=6)
    await show(other, there)
    with pytest.raises(SlackApiError, match="invalid_thread_ts"):
        await show(other, here)


async def test_apps_under_the_stricter_limit_read_one_small_page_a_minute(session: aiohttp.ClientSession) -> None:
    async with LocalSlack(reads_strictly=True) as slack:
        channel = slack.world.add_channel("general", team=slack.team.id)
        user = slack.world.add_user("ann", team=slack.team.id)
        for number in range(20):
            slack.people.says(user, channel, f"{number}")
        client = AsyncWebClient(token=slack.team.token, base_url=slack.api_url, session=session, retry_handlers=[])

        page = await client.conversations_history(channel=channel, limit=200)
        with pytest.raises(SlackApiError) as refused:
            await client.conversations_history(channel=channel, cursor=page["response_metadata"]["next_cursor"])

    assert len(page["messages"]) == 15
    assert int(refused.value.response.headers["Retry-After"]) > 50
