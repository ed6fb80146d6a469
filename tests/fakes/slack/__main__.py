"""`python -m tests.fakes.slack`: the local Slack as a process of its own, with a page to look at it."""

import argparse
import asyncio
import sys

from tests.fakes.slack.control import add_control
from tests.fakes.slack.server import APP_TOKEN, LocalSlack


async def serve(port: int) -> None:
    slack = LocalSlack()
    add_control(slack)
    await slack.start(port)
    team = slack.team.id
    ann = slack.world.add_user("ann", team=team)
    slack.world.add_user("bob", team=team)
    slack.world.add_user("lea", team=team, is_admin=True)
    slack.world.add_channel("study-group", team=team)
    slack.world.add_channel("dm", team=team, kind="im", user=ann)
    sys.stdout.write(
        f"SLACK_API_URL={slack.api_url}\nSLACK_BOT_TOKEN={slack.team.token}\nSLACK_APP_TOKEN={APP_TOKEN}\n"
        f"The channel: {slack.base}/\n"
    )
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await slack.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8766)
    asyncio.run(serve(parser.parse_args().port))
