"""Every kind of server that docs/models.md names is reached at its address, with its key and its parameters."""

import pytest

from core.answering.model import ModelWriter, open_chat
from core.answering.verifying import Verifier
from core.settings import Settings
from tests.core.answering.model.drafting import written
from tests.core.answering.passages import WordFinder, to_task
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Step, searching

ANSWER = "The default depth is 10 [1]."


@pytest.mark.parametrize(
    ("base", "key", "model", "has_effort"),
    [
        pytest.param("/openai/v1/", "azure-key", "gpt-6-luna", True, id="Azure"),
        pytest.param("/openai/v1/", "azure-key", "my-deployment", False, id="Azure, own name"),
        pytest.param("/api/v1", "sk-or-1", "openai/gpt-6-luna", True, id="OpenRouter"),
        pytest.param("/v1", "", "llama3.2", False, id="Ollama, without a key"),
        pytest.param("/v1/", "token", "Qwen/Qwen3-8B", False, id="vLLM with a key"),
    ],
)
async def test_a_server_is_reached_as_its_vendor_says(
    server: LLMServer, base: str, key: str, model: str, has_effort: bool
) -> None:
    settings = Settings.from_env(
        {"OPENAI_BASE_URL": f"{server.url}{base}", "OPENAI_API_KEY": key, "OPENAI_MODEL": model}
    )
    server.say(searching("default depth"), Step(text=ANSWER))

    async with open_chat(settings) as chat:
        writer = ModelWriter(chat=chat, finder=WordFinder(), verifier=Verifier(embedder=None))
        draft, _ = await written(writer, to_task())

    assert (draft.text, draft.model) == (ANSWER, model)
    assert server.callers == [(f"{base.rstrip('/')}/chat/completions", f"Bearer {key or 'none'}")] * 2
    assert [body["model"] for body in server.chats] == [model] * 2
    assert all(("reasoning_effort" in body) is has_effort for body in server.chats)
