"""Asking on Slack: mentions, threads, direct messages, and what is not for us."""

from tests.bot.adapters.slack.stage import Stage, texts


async def test_mention_is_answered_in_its_thread(stage: Stage) -> None:
    asked, reply = await stage.answer("What is a node?")

    assert reply["thread_ts"] == asked["ts"]
    assert "You asked: What is a node?" in texts(reply["blocks"])
