"""The page's channel: posts, threads, events, and a restart in the middle of an answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import aiohttp

from bot import wording
from bot.member import Member
from core.errors import ServiceDown
from core.model import LOCAL_GROUP, Selection, SessionKey
from tests.bot.adapters.web.site import WAIT, Site, open_site
from tests.bot.scripted import ScriptedAgent


async def _ask(site: Site, text: str, **more: object) -> dict[str, object]:
    async with site.http.post(
        f"{site.url}/api/channel/posts", json={"id": uuid4().hex, "text": text, **more}
    ) as response:
        assert response.status == 202, await response.text()
        posted: dict[str, object] = await response.json()
        return posted


async def _thread(site: Site, thread: object) -> list[dict[str, object]]:
    async with site.http.get(f"{site.url}/api/channel/threads/{thread}") as response:
        assert response.status == 200
        posts: list[dict[str, object]] = (await response.json())["posts"]
        return posts


@asynccontextmanager
async def _events(site: Site) -> AsyncIterator[AsyncIterator[tuple[str, dict[str, object]]]]:
    """What an open page hears, from the moment this opens."""

    async def read(response: aiohttp.ClientResponse) -> AsyncIterator[tuple[str, dict[str, object]]]:
        while True:
            block = (await asyncio.wait_for(response.content.readuntil(b"\n\n"), WAIT)).decode()
            if block.startswith("event: "):
                kind, content = block.strip().split("\ndata: ")
                yield kind.removeprefix("event: "), json.loads(content)

    async with site.http.get(f"{site.url}/api/events") as response:
        heard = read(response)
        assert (await anext(heard))[0] == "ready"
        yield heard


async def test_a_question_starts_a_thread_with_its_answer(site: Site) -> None:
    asked = await _ask(site, "How do nodes talk?", member_name="Ada")
    await site.parts.turns.wait_idle()

    question, reply = await _thread(site, asked["id"])
    assert (question["kind"], question["author_name"], question["thread"]) == ("question", "Ada", asked["id"])
    assert reply["kind"] == "reply"
    assert reply["reply"]["footnotes"][0]["number"] == 1  # type: ignore[index]
    assert 'class="mark" data-number="1"' in str(reply["html"])


async def test_thanks_and_an_unspoken_nod_are_no_questions(site: Site) -> None:
    asked = await _ask(site, "How do nodes talk?")
    await site.parts.turns.wait_idle()
    for words in ("ok", "thanks!"):
        await _ask(site, words, thread=asked["id"])
    await site.parts.turns.wait_idle()

    *_, nod, thanks, welcome = await _thread(site, asked["id"])
    assert (nod["kind"], nod["text"]) == ("note", "ok")
    assert (thanks["kind"], thanks["text"]) == ("question", "thanks!")
    assert welcome["text"] == wording.WELCOME
    report = await site.parts.desk.report(Member("a", "A", SessionKey("web", LOCAL_GROUP, "", ""), is_leader=True))
    assert not report.unanswered


async def test_the_source_of_an_answer_is_shown_for_the_asking(site: Site) -> None:
    asked = await _ask(site, "How do nodes talk?")
    await site.parts.turns.wait_idle()
    await _ask(site, "show source 1", thread=asked["id"])
    await site.parts.turns.wait_idle()

    shown = (await _thread(site, asked["id"]))[-1]
    assert shown["reply"]["kind"] == "notice"  # type: ignore[index]


async def test_an_open_page_hears_the_stages_the_words_and_the_answer(site: Site) -> None:
    async with _events(site) as heard:
        asked = await _ask(site, "How?")
        seen = []
        async for kind, content in heard:
            seen.append((kind, content))
            if kind == "post" and content["post"]["kind"] == "reply":  # type: ignore[index]
                break

    assert next(content["post"] for kind, content in seen if kind == "post") == asked
    assert (seen[-1][1]["reply_count"], seen[-1][1]["last_reply_at"]) == (1, seen[-1][1]["post"]["created_at"])  # type: ignore[index]
    assert {content.get("stage") for kind, content in seen if kind == "progress"} & {"received", "retrieving"}


async def test_a_page_that_comes_later_hears_what_is_under_way(tmp_path: Path) -> None:
    agent = ScriptedAgent(is_gated=True)
    async with open_site(tmp_path / "data", agent) as site:
        asked = await _ask(site, "Slow?")
        await asyncio.wait_for(agent.started.get(), WAIT)

        async with _events(site) as heard:
            kind, content = await anext(heard)

        assert (kind, content["question_id"]) == ("progress", asked["id"])


async def test_sending_a_post_twice_asks_once(site: Site, agent: ScriptedAgent) -> None:
    post_id = uuid4().hex
    for _ in range(2):
        async with site.http.post(
            f"{site.url}/api/channel/posts", json={"id": post_id, "text": "Once?"}
        ) as response:
            assert response.status == 202
    await site.parts.turns.wait_idle()

    assert len(await _thread(site, post_id)) == 2
    assert len(agent.asked) == 1


async def test_a_follow_up_stays_in_its_thread_and_a_quote_becomes_the_selected_text(
    site: Site, agent: ScriptedAgent
) -> None:
    first = await _ask(site, "How?")
    await site.parts.turns.wait_idle()
    await _ask(site, "Why?", thread=first["id"], quote="Nodes talk over topics.", selection="own_answer")
    await site.parts.turns.wait_idle()

    followed = agent.asked[1]
    assert followed.key == agent.asked[0].key
    assert (followed.selected_text, followed.selection) == ("Nodes talk over topics.", Selection.OWN_ANSWER)
    assert [post["kind"] for post in await _thread(site, first["id"])] == ["question", "reply"] * 2


async def test_a_note_is_said_without_an_answer(site: Site, agent: ScriptedAgent) -> None:
    note = await _ask(site, "Meet at noon!", asks=False)
    await site.parts.turns.wait_idle()

    assert [post["kind"] for post in await _thread(site, note["id"])] == ["note"]
    assert agent.asked == []


async def test_the_channel_lists_what_was_asked_with_a_glance_at_each_thread(site: Site) -> None:
    first = await _ask(site, "One?")
    await _ask(site, "Two?")
    await site.parts.turns.wait_idle()

    async with site.http.get(f"{site.url}/api/channel") as response:
        channel = await response.json()

    assert [post["text"] for post in channel["posts"]] == ["One?", "Two?"]
    assert channel["posts"][0]["reply_count"] == 1
    assert channel["has_earlier"] is False
    async with site.http.get(f"{site.url}/api/channel?before={channel['posts'][1]['position']}") as response:
        assert [post["id"] for post in (await response.json())["posts"]] == [first["id"]]


async def test_an_answer_can_be_stopped(tmp_path: Path) -> None:
    agent = ScriptedAgent(is_gated=True)
    async with open_site(tmp_path / "data", agent) as site:
        asked = await _ask(site, "Slow?")
        await asyncio.wait_for(agent.started.get(), WAIT)

        async with site.http.post(f"{site.url}/api/channel/posts/{asked['id']}/stop") as response:
            assert response.status == 204
        await site.parts.turns.wait_idle()

        assert "Stopped" in str((await _thread(site, asked["id"]))[-1]["text"])
        async with site.http.post(f"{site.url}/api/channel/posts/{asked['id']}/stop") as again:
            assert again.status == 404


async def test_forgetting_a_thread_leaves_not_a_word_in_the_files(site: Site) -> None:
    asked = await _ask(site, "Where is the xylophonist buried?")
    await site.parts.turns.wait_idle()

    async with _events(site) as heard:
        async with site.http.delete(f"{site.url}/api/channel/threads/{asked['id']}") as response:
            assert response.status == 204
        assert await anext(heard) == ("forgotten", {"thread": asked["id"], "channel": "study-group"})

    async with site.http.get(f"{site.url}/api/channel/threads/{asked['id']}") as response:
        assert response.status == 404
    left = [path for path in site.parts.settings.data_dir.rglob("*") if path.is_file()]
    assert not [path.name for path in left if b"xylophonist" in path.read_bytes()]


async def test_nothing_is_added_to_a_thread_that_is_gone(site: Site) -> None:
    async with site.http.post(
        f"{site.url}/api/channel/posts", json={"id": uuid4().hex, "text": "Hello?", "thread": "0" * 32}
    ) as response:
        assert response.status == 404


async def test_a_failure_stands_in_the_thread_as_a_sentence(tmp_path: Path) -> None:
    async with open_site(tmp_path / "data", ScriptedAgent(ServiceDown("qdrant", "no route to host"))) as site:
        asked = await _ask(site, "Why?")
        await site.parts.turns.wait_idle()

        reply = (await _thread(site, asked["id"]))[-1]

    assert reply["reply"]["code"] == "unavailable"  # type: ignore[index]
    assert "no route" not in str(reply["text"])


async def test_a_member_votes_on_an_answer(site: Site) -> None:
    asked = await _ask(site, "How?")
    await site.parts.turns.wait_idle()
    handle = (await _thread(site, asked["id"]))[-1]["reply"]["handle"]  # type: ignore[index]

    async with site.http.post(f"{site.url}/api/feedback", json={"handle": handle, "verdict": "down"}) as response:
        assert response.status == 204
    async with site.http.post(f"{site.url}/api/feedback", json={"handle": "no", "verdict": "up"}) as response:
        assert response.status == 404

    report = await site.parts.desk.report(_leader())
    assert [question.text for question in report.down_voted] == ["How?"]


async def test_a_passage_is_shared_with_the_channel(site: Site) -> None:
    async with site.http.get(f"{site.url}/api/search?q=calibration") as response:
        hit = (await response.json())["results"][0]

    async with site.http.post(
        f"{site.url}/api/channel/passages", json={"id": uuid4().hex, "chunk_id": hit["chunk_id"]}
    ) as response:
        post = await response.json()

    assert response.status == 201
    assert post["passage"]["title"] == "Cameras"
    assert (await _thread(site, post["id"]))[0]["text"] == hit["text"]


async def test_a_restart_in_the_middle_shows_one_whole_answer(tmp_path: Path) -> None:
    stuck = ScriptedAgent(is_gated=True)
    async with open_site(tmp_path / "data", stuck) as site:
        asked = await _ask(site, "Slow?")
        await asyncio.wait_for(stuck.started.get(), WAIT)

    async with open_site(tmp_path / "data", ScriptedAgent("The whole answer [1].")) as site:
        await asyncio.wait_for(site.parts.turns.wait_idle(), WAIT)
        posts = await _thread(site, asked["id"])

    assert [post["text"] for post in posts] == ["Slow?", "The whole answer [1]."]


async def test_a_waiting_request_is_told_of_the_stop(tmp_path: Path) -> None:
    stuck = ScriptedAgent(is_gated=True)
    async with aiohttp.ClientSession() as http:
        async with open_site(tmp_path / "data", stuck) as site:
            waiting = asyncio.create_task(http.post(f"{site.url}/api/chat", json={"question": "Slow?"}))
            await asyncio.wait_for(stuck.started.get(), WAIT)
        response = await asyncio.wait_for(waiting, WAIT)

        assert response.status == 503
        assert int(response.headers["Retry-After"]) > 0


def _leader() -> Member:
    return Member("test", "test", SessionKey("web", LOCAL_GROUP, "study-group", ""), is_leader=True)
