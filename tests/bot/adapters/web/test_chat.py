"""POST /api/chat and /api/chat/stream: the contract's forms, and its refusals."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from bot.limits import Allowance
from core.errors import FootnoteError, ServiceBusy, ServiceDown, ServiceTimeout
from tests.bot.adapters.web.site import Site, open_site
from tests.bot.scripted import ScriptedAgent


async def test_a_question_gets_the_contracts_answer(site: Site, agent: ScriptedAgent) -> None:
    async with site.http.post(f"{site.url}/api/chat", json={"question": "How do nodes talk?"}) as response:
        answer = await response.json()

    assert response.status == 200
    assert answer["answer"] == answer["text"] == "You asked: How do nodes talk? [1]"
    assert answer["citations"][0]["number"] == 1
    assert answer["citations"][0]["source_url"] == answer["citations"][0]["url"] != ""
    assert 0 <= answer["citations"][0]["relevance_score"] <= 1
    assert answer["should_answer"] is True
    assert answer["confidence_level"] == "high"
    assert answer["metadata"].keys() >= {"request_id", "processing_time_ms", "retrieval_count", "model_used"}
    assert answer["created_at"].endswith("Z")


async def test_the_question_may_be_called_text_and_carry_everything(site: Site, agent: ScriptedAgent) -> None:
    asked = {
        "text": "Is this so?",
        "selected_text": "Nodes talk over topics.",
        "top_k": 7,
        "similarity_threshold": 0.2,
        "filters": {"module": "ros2", "chapter_min": 1, "chapter_max": 3, "levels": ["A2", "B1"], "tier": 2},
    }

    async with site.http.post(f"{site.url}/api/chat", json=asked) as response:
        assert response.status == 200

    question = agent.asked[0]
    assert (question.text, question.selected_text, question.top_k) == ("Is this so?", "Nodes talk over topics.", 7)
    assert question.filters.to_dict() == asked["filters"]


@pytest.mark.parametrize(
    ("asked", "field", "told"),
    [
        pytest.param({"question": "x" * 2001}, "question", "2000", id="question too long"),
        pytest.param({"question": "   "}, "question", "empty", id="blank"),
        pytest.param({}, "question", "required", id="no question"),
        pytest.param({"question": 5}, "question", "string", id="not a text"),
        pytest.param({"question": "a", "selected_text": "x" * 5001}, "selected_text", "5000", id="selection"),
        pytest.param({"question": "a", "top_k": 21}, "top_k", "20", id="top_k 21"),
        pytest.param({"question": "a", "top_k": 0}, "top_k", "1", id="top_k 0"),
        pytest.param({"question": "a", "similarity_threshold": 1.5}, "similarity_threshold", "1", id="threshold"),
        pytest.param({"question": "a", "session_id": "no"}, "session_id", "UUID", id="session"),
        pytest.param({"question": "a", "filters": {"tier": 9}}, "tier", "4", id="tier"),
    ],
)
async def test_a_broken_limit_is_named(site: Site, asked: dict[str, object], field: str, told: str) -> None:
    async with site.http.post(f"{site.url}/api/chat", json=asked) as response:
        problem = await response.json()

    assert response.status == 422
    assert problem["error"] == problem["code"] == "invalid"
    assert problem["details"]["field"] == field
    assert told in problem["message"]


async def test_a_session_goes_on_and_a_foreign_one_is_unknown(site: Site) -> None:
    unknown = {"question": "And then?", "session_id": str(uuid4())}

    async with site.http.post(f"{site.url}/api/chat", json=unknown) as response:
        assert response.status == 404
        assert (await response.json())["error"] == "unknown_session"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        pytest.param(ServiceDown("qdrant", "refused"), 503, "unavailable", id="down"),
        pytest.param(ServiceBusy("openai", "slow down", retry_after=7), 503, "unavailable", id="busy"),
        pytest.param(ServiceTimeout("openai", "30 s"), 504, "timeout", id="timeout"),
        pytest.param(RuntimeError("secret detail"), 500, "failed", id="our fault"),
    ],
)
async def test_a_failure_has_its_status_and_no_insides(
    tmp_path: Path, error: Exception, status: int, code: str
) -> None:
    async with open_site(tmp_path / "data", ScriptedAgent(error)) as site:
        async with site.http.post(f"{site.url}/api/chat", json={"question": "Why?"}) as response:
            problem = await response.json()

        assert response.status == status
        assert problem["error"] == code
        assert "secret detail" not in json.dumps(problem)
        if isinstance(error, FootnoteError) and error.retry_after:
            assert response.headers["Retry-After"] == "7"


async def test_too_many_questions_are_told_to_wait(tmp_path: Path) -> None:
    async with open_site(tmp_path / "data", ScriptedAgent(), allowance=Allowance(member_per_minute=1)) as site:
        async with site.http.post(f"{site.url}/api/chat", json={"question": "One?"}) as first:
            assert first.status == 200
        async with site.http.post(f"{site.url}/api/chat", json={"question": "Two?"}) as second:
            problem = await second.json()

        assert second.status == 429
        assert problem["error"] == "rate_limited"
        assert 0 < int(second.headers["Retry-After"]) == problem["retry_after"] <= 60


async def test_the_same_request_twice_is_answered_once(site: Site, agent: ScriptedAgent) -> None:
    headers = {"Idempotency-Key": uuid4().hex}

    async with site.http.post(f"{site.url}/api/chat", json={"question": "Once?"}, headers=headers) as first:
        one = await first.json()
    async with site.http.post(f"{site.url}/api/chat", json={"question": "Once?"}, headers=headers) as second:
        two = await second.json()

    assert one == two
    assert len(agent.asked) == 1


async def test_the_stream_tells_stages_text_and_the_answer(site: Site) -> None:
    async with site.http.post(f"{site.url}/api/chat/stream", json={"question": "How?"}) as response:
        body = (await response.read()).decode()

    events = [block.split("\n")[0].removeprefix("event: ") for block in body.strip().split("\n\n")]
    answer = json.loads(body.strip().split("\n\n")[-1].split("data: ")[1])
    assert response.content_type == "text/event-stream"
    assert events[0] == "stage"
    assert events[-1] == "answer"
    assert answer["answer"] == "You asked: How? [1]"


async def test_a_failing_stream_ends_with_an_error(tmp_path: Path) -> None:
    async with (
        open_site(tmp_path / "data", ScriptedAgent(ServiceDown("qdrant", "refused"))) as site,
        site.http.post(f"{site.url}/api/chat/stream", json={"question": "How?"}) as response,
    ):
        body = (await response.read()).decode()

    assert body.strip().split("\n\n")[-1].startswith('event: error\ndata: {"error": "unavailable"')
