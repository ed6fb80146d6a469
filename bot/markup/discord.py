"""Discord's markdown."""

from bot.markup.markdown import MarkdownDialect
from bot.markup.neutral import encoded


class DiscordDialect(MarkdownDialect):
    """Markdown as Discord reads it. Links stand in angle brackets, which keeps their previews away."""

    def words(self, text: str) -> str:
        # "<" begins every mention, time, command and emoji of Discord's own.
        return super().words(text).replace("<", "\\<")

    def link(self, label: str, url: str) -> str:
        return f"[{label}](<{encoded(url)}>)"
