"""Whatever the model's server does, the right error comes out and a broken answer is never shown."""

import asyncio
from dataclasses import replace

import pytest

from core.answering.model import ChatModel, ModelWriter, open_chat
from core.errors import ServiceBusy, ServiceDown, ServiceError, ServiceTimeout
from core.model import TextEvent
from core.settings import Settings
from tests.core.answering.model.drafting import written
from tests.core.answering.passages import WordFinder, to_task
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Step, busy, failing, out_of_quota, refusing_parameter, searching

ANSWER = "The default depth is 10 [1]."
ALWAYS = 3
"""The first try and the two retries of the SDK."""


@pytest.mark.parametrize(
    ("steps", "error", "problem"),
    [
        pytest.param([busy()] * ALWAYS, ServiceBusy, None, id="too-many-requests"),
        pytest.param([busy("3600")], ServiceBusy, None, id="told-to-wait-an-hour"),
        pytest.param([out_of_quota()] * ALWAYS, ServiceDown, "quota", id="no-quota"),
        pytest.param([failing(500)] * ALWAYS, ServiceDown, "failed", id="500"),
        pytest.param([failing(503)] * ALWAYS, ServiceDown, "failed", id="503"),
        pytest.param([failing(504)] * ALWAYS, ServiceTimeout, None, id="504"),
        pytest.param([failing(403)], ServiceDown, "key", id="forbidden"),
        pytest.param([failing(404)], ServiceDown, "refused", id="no-such-model"),
        pytest.param([Step(text=ANSWER, cut_after=3)], ServiceDown, "unreachable", id="cut-socket"),
        pytest.param([Step(text=ANSWER, eof_after=3)], ServiceDown, "broke_off", id="silent-end"),
        pytest.param([Step(text=ANSWER, finish="length")], ServiceDown, "broke_off", id="too-long"),
        pytest.param([Step(text=ANSWER, finish="content_filter")], ServiceDown, "withheld", id="filtered"),
        pytest.param([Step(refusal="I cannot help.")], ServiceDown, "withheld", id="refused-by-provider"),
        pytest.param([Step(text=ANSWER, error_after=3)], ServiceDown, "failed", id="error-inside-stream"),
        pytest.param([Step(text=ANSWER, garbage_after=3)], ServiceDown, "nonsense", id="broken-json"),
        pytest.param([Step(text="   ")], ServiceDown, "nonsense", id="says-nothing"),
        pytest.param([Step(text="")], ServiceDown, "nonsense", id="says-nothing-at-all"),
        pytest.param([Step(text="depth " * 9000, piece=900)], ServiceDown, "nonsense", id="never-ends"),
    ],
)
async def test_each_failure_has_its_error(
    writer: ModelWriter, server: LLMServer, steps: list[Step], error: type[ServiceError], problem: str | None
) -> None:
    server.say(searching("default depth"), *steps)

    with pytest.raises(error) as caught:
        await written(writer, to_task())

    assert type(caught.value) is error
    assert caught.value.details.get("problem") == problem


async def test_the_wait_a_server_asks_for_is_passed_on(writer: ModelWriter, server: LLMServer) -> None:
    server.say(busy("3600"))

    with pytest.raises(ServiceBusy) as caught:
        await written(writer, to_task())

    assert caught.value.retry_after == 3600


async def test_one_busy_moment_is_waited_out(writer: ModelWriter, server: LLMServer) -> None:
    server.say(searching("default depth"), busy(), failing(500), Step(text=ANSWER))

    draft, _ = await written(writer, to_task())

    assert draft.text == ANSWER


async def test_a_server_that_goes_silent_is_given_up(
    settings: Settings, server: LLMServer, finder: WordFinder
) -> None:
    server.say(Step(text=ANSWER, stall_after=3))
    hurried = replace(settings, openai_timeout_seconds=1)

    async with open_chat(hurried) as chat:
        with pytest.raises(ServiceTimeout):
            await _everything(chat)
    await asyncio.wait_for(server.hung_up.wait(), 60)


async def test_a_broken_answer_is_not_shown_beyond_its_checked_sentences(
    writer: ModelWriter, server: LLMServer
) -> None:
    broken = Step(text=f"{ANSWER} And the largest depth is", finish="length")
    server.say(searching("default depth"), broken)
    shown: list[str] = []

    async def show() -> None:
        async for event in writer.write(to_task()):
            if isinstance(event, TextEvent):
                shown.append(event.text)

    with pytest.raises(ServiceDown):
        await show()
    assert set(shown) == {ANSWER}


async def test_a_wrong_key_is_told_from_an_outage(settings: Settings, server: LLMServer) -> None:
    async with open_chat(replace(settings, openai_api_key="wrong")) as chat:
        with pytest.raises(ServiceDown) as caught:
            await _everything(chat)

    assert caught.value.details["problem"] == "key"


async def test_a_server_that_is_not_there_is_down(settings: Settings) -> None:
    nowhere = replace(settings, openai_base_url="http://127.0.0.1:9/v1", openai_retries=0)

    async with open_chat(nowhere) as chat:
        with pytest.raises(ServiceDown) as caught:
            await _everything(chat)

    assert caught.value.details["problem"] == "unreachable"


@pytest.mark.parametrize("name", ["temperature", "reasoning_effort", "stream_options", "tool_choice"])
async def test_a_parameter_the_server_refuses_is_dropped_and_not_sent_again(
    settings: Settings, server: LLMServer, name: str
) -> None:
    server.say(refusing_parameter(name), Step(text="ok"), Step(text="ok"))

    async with open_chat(replace(settings, openai_model="local", openai_reasoning_effort="low")) as chat:
        await _everything(chat)
        await _everything(chat)

    assert [name in body for body in server.chats] == [True, False, False]


async def test_the_parameter_a_refusal_is_about_is_dropped_before_those_it_mentions(
    settings: Settings, server: LLMServer
) -> None:
    message = "Function tools are not taken with reasoning_effort and temperature"
    server.say(Step(status=400, error={"message": message, "param": "tools"}), Step(text="ok"))

    async with open_chat(replace(settings, openai_model="local", openai_reasoning_effort="low")) as chat:
        await _everything(chat)

    assert ["tools" in body for body in server.chats] == [True, False]
    assert all("temperature" in body and "reasoning_effort" in body for body in server.chats)


async def test_a_refusal_that_names_nothing_we_can_drop_is_an_error(
    writer: ModelWriter, server: LLMServer
) -> None:
    server.say(Step(status=400, error={"message": "context is too long"}))

    with pytest.raises(ServiceDown, match="context is too long"):
        await written(writer, to_task())


async def test_a_server_that_takes_no_free_choice_answers_from_what_it_searched_for(
    writer: ModelWriter, server: LLMServer
) -> None:
    message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    server.say(searching("default depth"), Step(status=400, error={"message": message}), Step(text=ANSWER))

    draft, _ = await written(writer, to_task())

    assert draft.text == ANSWER
    assert ["tools" in body for body in server.chats] == [True, True, False]


async def test_a_model_without_tools_is_given_the_passages(writer: ModelWriter, server: LLMServer) -> None:
    without_tools = Step(status=400, error={"message": "tiny-model does not support tools"})
    server.say(without_tools, Step(text="hello"), Step(text=ANSWER), Step(text=ANSWER))

    first, _ = await written(writer, to_task())
    second, _ = await written(writer, to_task())

    assert first.text == second.text == ANSWER
    assert len(server.chats) == 4, "the second question asks for no tools at all"
    assert "tools" not in server.chats[-1]


async def test_a_search_that_fails_is_not_dressed_as_nothing_found(
    writer: ModelWriter, server: LLMServer, finder: WordFinder
) -> None:
    finder.error = ServiceDown("index", "gone")
    server.say(searching("default depth"))

    with pytest.raises(ServiceDown, match="index"):
        await written(writer, to_task())


async def _everything(chat: ChatModel) -> None:
    from core.answering.model.tool import TOOL

    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    async for _ in chat.stream(messages, tools=[TOOL]):  # type: ignore[arg-type]
        pass
