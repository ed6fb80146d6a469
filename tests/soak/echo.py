"""An agent that thinks for a while and then repeats the question."""

import asyncio
import random
from collections.abc import AsyncIterator

from core.model import AskEvent, Question, TextEvent
from core.store.sessions import Sessions
from tests.bot.group import RememberingAgent


class EchoAgent(RememberingAgent):
    """Takes between *least* and *most* seconds, and for every third question longer, as a model does."""

    def __init__(self, sessions: Sessions, *, least: float = 0.01, most: float = 0.3) -> None:
        super().__init__(sessions)
        self._least, self._most = least, most

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        await asyncio.sleep(random.uniform(self._least, self._most))
        if random.random() < 0.3:
            yield TextEvent("Let me see. This takes a while. And ")
            await asyncio.sleep(random.uniform(0.5, 2.0))
        async for event in super().ask(question):
            yield event
