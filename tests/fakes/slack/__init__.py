"""A local Slack: Web API, Socket Mode and response_url over real sockets, strict about limits and deadlines."""

from tests.fakes.slack.server import LocalSlack
from tests.fakes.slack.world import Team

__all__ = ["LocalSlack", "Team"]
