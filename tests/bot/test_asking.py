"""One question put to the agent."""

from bot.asking import Asking
from bot.showing import Showing
from bot.surface import Delivery
from tests.bot.scripted import ScriptedAgent, ScriptedPlatform, to_incoming


async def test_stop_before_the_agent_was_asked_is_heeded() -> None:
    agent, incoming = ScriptedAgent(), to_incoming("e1", "Why?")
    asking = Asking(agent, showing=_showing(), timeout_seconds=60)

    assert asking.stop()

    assert await asking.ask(incoming.question) is None
    assert agent.asked == []


def _showing() -> Showing:
    async def save(_: str) -> None: ...

    surface = ScriptedPlatform().open(to_incoming("e1", "Why?"))
    return Showing(surface=surface, delivery=lambda: Delivery((), save=save, nonce="n"))
