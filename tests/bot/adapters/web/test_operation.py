"""Health, metrics, sessions, jobs and stopping."""

import asyncio
import json
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import Response

from bot.adapters.web.hub import CLOSING, Happening, Hub
from bot.adapters.web.routes.health import healthz
from bot.adapters.web.serving import open_socket
from core.errors import SettingsError
from core.model import LOCAL_GROUP, Question, SessionKey
from core.store.places import Places
from tests.bot.adapters.web.site import WAIT, Site
from tests.bot.scripted import to_answer
from tests.logged import fields


async def test_health_says_that_we_live_and_are_ready(site: Site) -> None:
    async with site.http.get(f"{site.url}/healthz") as response:
        assert await response.json() == {
            "status": "ok",
            "live": True,
            "ready": True,
            "last_event_age_seconds": {},
            "platforms_ready": {},
        }


@pytest.mark.parametrize(("age", "is_ready"), [(1.0, True), (600.0, False)], ids=["just heard", "silent for long"])
async def test_each_platform_is_ready_while_it_is_heard(site: Site, age: float, is_ready: bool) -> None:
    parts = replace(site.parts, settings=replace(site.parts.settings, slack_bot_token="xoxb-test"))
    await Places(parts.places._database, clock=lambda: time.time() - age).listened("slack")

    told = await healthz(Response(), parts)

    assert told.platforms_ready == {"slack": is_ready}


async def test_a_monitor_may_ask_for_the_head_alone(site: Site) -> None:
    for path in ("/", "/healthz"):
        async with site.http.head(site.url + path) as response:
            assert (response.status, await response.read()) == (200, b"")


@pytest.mark.parametrize(
    ("fault", "status"),
    [("ALTER TABLE jobs RENAME TO hidden", 500), ("PRAGMA query_only = 1", 503)],
    ids=["our own fault", "the machine's"],
)
async def test_a_request_that_fails_is_told_with_the_reference_of_the_log(
    site: Site, caplog: pytest.LogCaptureFixture, fault: str, status: int
) -> None:
    job = await site.parts.jobs.create(book="robots", source="robots.zip", mode="incremental", group=LOCAL_GROUP)
    await site.parts.places._database.write_one(fault)

    async with site.http.post(f"{site.url}/api/jobs/{job.id}/cancel") as response:
        problem = await response.json()

    (reference,) = fields(caplog, "reference")
    assert response.status == status
    assert f"`{reference}`" in problem["message"]


async def test_metrics_count_turns_and_requests_by_route(site: Site) -> None:
    async with site.http.post(f"{site.url}/api/chat", json={"question": "How?"}) as response:
        assert response.status == 200
    await site.http.get(f"{site.url}/api/sessions/some-secret-name")

    async with site.http.get(f"{site.url}/metrics") as response:
        text = await response.text()

    assert response.content_type == "text/plain"
    assert 'footnote_turns{outcome="answer",platform="web"} 1.0' in text
    assert 'footnote_answer_seconds_bucket{le="+Inf",platform="web"} 1.0' in text
    assert 'footnote_http_requests_total{route="/api/chat",status="200"} 1.0' in text
    assert "some-secret-name" not in text
    assert "process_resident_memory_bytes" in text


async def test_sessions_are_listed_read_and_forgotten(site: Site) -> None:
    question = Question("How?", key=SessionKey("web", LOCAL_GROUP, "study-group", "a"))
    session = await site.parts.sessions.open(question)
    await site.parts.sessions.remember(
        session.id, question=question, answer=to_answer("So [1].", session_id=session.id), retrievals=()
    )
    foreign = await site.parts.sessions.open(Question("Secret?", key=SessionKey("slack", "slack:T1", "C", "1")))

    async with site.http.get(f"{site.url}/api/sessions") as response:
        assert [each["session_id"] for each in await response.json()] == [session.id]
    async with site.http.get(f"{site.url}/api/sessions/{session.id}") as response:
        details = await response.json()
    assert [(each["role"], each["content"]) for each in details["messages"]] == [
        ("user", "How?"),
        ("assistant", "So [1]."),
    ]
    async with site.http.get(f"{site.url}/api/sessions/{foreign.id}") as response:
        assert response.status == 404

    async with site.http.delete(f"{site.url}/api/sessions/{session.id}") as response:
        assert response.status == 204
    async with site.http.get(f"{site.url}/api/sessions/{session.id}") as response:
        assert response.status == 404


async def test_a_job_is_cancelled(site: Site) -> None:
    job = await site.parts.jobs.create(book="notes", source="x")

    async with site.http.post(f"{site.url}/api/jobs/{job.id}/cancel") as response:
        assert (await response.json())["status"] == "cancelled"
    async with site.http.get(f"{site.url}/api/jobs") as response:
        assert [each["status"] for each in await response.json()] == ["cancelled"]


async def test_open_streams_end_when_we_stop(site: Site) -> None:
    async with site.http.get(f"{site.url}/api/events") as response:
        await response.content.readuntil(b"\n\n")
        site.parts.hub.close()

        assert await asyncio.wait_for(response.content.read(), WAIT) == b""


def test_a_port_that_is_taken_is_told_with_the_setting_to_change() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SettingsError, match="FOOTNOTE_PORT"):
        open_socket("127.0.0.1", taken.getsockname()[1])


async def test_small_answers_are_sent_without_waiting(site: Site) -> None:
    """Otherwise every answer on an open connection waits for the client's delayed acknowledgement."""
    with open_socket("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


async def test_a_slow_listener_gets_the_newest_of_each_thing_in_order() -> None:
    hub = Hub()
    with hub.listen() as mailbox:
        hub.tell(Happening("progress", "a", {"text": "one"}))
        hub.tell(Happening("post", "b"))
        hub.tell(Happening("progress", "a", {"text": "two"}))

        heard = [await mailbox.get(), await mailbox.get()]

    assert [(each.key, each.content) for each in heard] == [("b", {}), ("a", {"text": "two"})]
    hub.close()
    with hub.listen(lambda _: False) as late:
        assert await late.get() is CLOSING


async def test_the_api_document_names_what_others_rely_on(site: Site) -> None:
    async with site.http.get(f"{site.url}/openapi.json") as response:
        paths = json.loads(await response.text())["paths"]

    assert {"/api/chat", "/api/chat/stream", "/api/search", "/healthz", "/metrics"} <= paths.keys()


def test_everything_the_page_needs_is_in_the_package() -> None:
    root = Path(__file__).parents[4]
    declared = (root / "pyproject.toml").read_text(encoding="utf-8")
    kinds = {path.suffix for path in (root / "bot/adapters/web/static").rglob("*.*")}

    assert all(f'"*{kind}"' in declared for kind in kinds)
