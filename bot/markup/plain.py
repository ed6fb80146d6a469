"""Plain text, for terminals, notifications and page titles."""

import textwrap

from bot.markup.rendering import Dialect


class PlainDialect(Dialect):
    """Words alone. Code is set in, links show their address."""

    rule = "—" * 3

    def words(self, text: str) -> str:
        return text

    def strong(self, inside: str) -> str:
        return inside

    def emphasis(self, inside: str) -> str:
        return inside

    def strike(self, inside: str) -> str:
        return inside

    def code(self, text: str) -> str:
        return text.replace("\n", " ")

    def link(self, label: str, url: str) -> str:
        is_mark = label.startswith("[") and label.endswith("]")
        return label if is_mark or label == url else f"{label} ({url})"

    def heading(self, level: int, inside: str) -> str:
        return inside

    def fence(self, text: str, language: str) -> str:
        return textwrap.indent(text, "    ")

    def quote(self, text: str) -> str:
        return textwrap.indent(text, "> ")

    def guarded(self, line: str) -> str:
        return line
