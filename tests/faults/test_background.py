"""A database that refuses to be written to for a while: what runs beside the answers goes on afterwards."""

import asyncio
from dataclasses import replace
from pathlib import Path

from bot.adapters.slack.catching_up import Patience
from bot.adapters.web.hub import Hub
from bot.adapters.web.job_watch import JobWatch
from core.store.database import Database
from core.store.jobs import Jobs
from core.store.places import Places
from tests.bot.adapters.discord.stage import make_stage as make_discord_stage
from tests.bot.adapters.slack.stage import make_stage as make_slack_stage
from tests.bot.adapters.slack.stage import texts
from tests.bot.conftest import database
from tests.bot.scripted import WAIT
from tests.fakes.discord import LocalDiscord
from tests.fakes.slack import LocalSlack
from tests.faults.test_database import allow_writing, forbid_writing
from tests.logged import logged

__all__ = ["database"]


async def refuse_writes_until_told(database: Database, name: str) -> None:
    """Nothing can be written until the work called *name* has failed, and has gone well again."""
    with logged(f"{name} failed") as failed, logged(f"{name} works again") as works:
        await forbid_writing(database)
        await asyncio.wait_for(failed.wait(), WAIT)
        await allow_writing(database)
        await asyncio.wait_for(works.wait(), WAIT)


async def test_slack_is_served_on_after_its_presence_could_not_be_noted(
    slack: LocalSlack, database: Database, tmp_path: Path
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)
    async with stage.bot():
        await refuse_writes_until_told(database, "noting that Slack is heard")

        _, reply = await stage.answer("still there?")

    assert "still there?" in texts(reply["blocks"])
    assert slack.sockets.connections == 1


async def test_what_came_from_slack_while_nothing_could_be_stored_is_answered_afterwards(
    slack: LocalSlack, database: Database, tmp_path: Path
) -> None:
    made = await make_slack_stage(slack, database, tmp_path)
    stage = replace(made, patience=Patience(short_seconds=0.0, calm_seconds=0.0, again_seconds=0.0))
    async with stage.bot():
        await stage.answer("before?")
        await stage.settled()
        with logged("noting that Slack is heard failed") as failed:
            await forbid_writing(database)
            await asyncio.wait_for(failed.wait(), WAIT)
            slack.sockets.ack_seconds = 0.1
            lost = stage.ask("meanwhile?")
            await asyncio.gather(*slack.people.deliveries)
            await slack.until(lambda: slack.world.replies(stage.general, lost["ts"]))
            await allow_writing(database)

        # The first is the excuse.
        reply = await slack.reply(stage.general, lost["ts"], number=2)
        await stage.settled()

    assert len(slack.sockets.unacked) == 2, "Slack has given up both events of the mention"
    assert "meanwhile?" in texts(reply["blocks"])


async def test_slack_is_served_though_nothing_can_be_stored_when_it_is_first_heard(
    slack: LocalSlack, database: Database, tmp_path: Path
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)
    await forbid_writing(database)
    with logged("noting that Slack is heard failed") as failed:
        async with stage.bot():
            await asyncio.wait_for(failed.wait(), WAIT)
            await allow_writing(database)
            _, reply = await stage.answer("there at last?")

    assert "there at last?" in texts(reply["blocks"])
    assert slack.sockets.connections == 1


async def test_discord_is_served_on_and_its_presence_noted_after_it_could_not_be(
    discord: LocalDiscord, database: Database, tmp_path: Path
) -> None:
    stage = await make_discord_stage(discord, database, tmp_path)
    async with stage.bot():
        await refuse_writes_until_told(database, "noting that Discord is heard")

        asked = await stage.ask("still there?")
        await discord.until_said(asked["id"], "still there?")

    assert await Places(database).last_listened("discord") is not None


async def test_jobs_are_told_on_after_they_could_not_be_looked_at(database: Database) -> None:
    jobs, hub = Jobs(database), Hub()
    await jobs.create(book="ros", source="ros.zip", mode="incremental")
    with hub.listen(lambda happening: happening.kind == "job") as mailbox:
        with logged("looking at the jobs failed") as failed:
            await database.write_one("ALTER TABLE jobs RENAME TO hidden")
            watching = asyncio.create_task(JobWatch(jobs=jobs, hub=hub).run())
            await asyncio.wait_for(failed.wait(), WAIT)
        await database.write_one("ALTER TABLE hidden RENAME TO jobs")

        told = await asyncio.wait_for(mailbox.get(), WAIT)

    watching.cancel()
    assert told.kind == "job"
