"""Asking on Discord: mentions, threads, follow-ups, direct messages, forums."""

from tests.bot.adapters.discord.stage import Stage
from tests.fakes.discord.checks import text_of


async def test_mention_is_answered_in_a_thread_named_after_the_question(stage: Stage) -> None:
    asked = await stage.ask("What is a **node**?")

    answer = await stage.discord.until_said(asked["id"], "You asked: What is a **node**?")
    assert stage.discord.world.channels[asked["id"]]["name"] == "What is a node?"
    assert [question.text for question in stage.agent.asked] == ["What is a **node**?"]
    assert (
        "-# [1] [The Kalman filter › Prediction and update](<https://books.example/kalman#prediction>)"
        in text_of(answer)
    )
