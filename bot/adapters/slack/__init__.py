"""Footnote on Slack."""

from bot.adapters.slack.running import run_slack

__all__ = ["run_slack"]
