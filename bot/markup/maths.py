"""LaTeX → a formula a person can read in a chat: signs, raised and lowered letters, plain fractions."""

import re

from bot.markup.maths_symbols import ACCENTS, BLACKBOARD, GREEK, LOWERED, RAISED, SIGNS

_SIGN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}^_&]|\s+|[^\\{}^_&\s]", re.DOTALL)
_SILENT = {"text", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "operatorname", "boldsymbol", "bm",
           "textbf", "textit", "mbox", "displaystyle", "textstyle", "limits", "nolimits", "big", "Big", "bigg",
           "Bigg", "left", "right", "!"}  # fmt: skip
_MAX_DEPTH = 40
"""Deeper formulas are not for a chat; the rest is shown as it is written."""
_WITH_ARGUMENT = {"begin", "end", "mathbb", *ACCENTS}
_SIMPLE = re.compile(r"[\w.′∞]*[\u0300-\u036f\u20d7]?")


def readable(latex: str) -> str:
    """The formula in Unicode; what has no sign keeps its name, so that nothing is lost."""
    written = _Formula(_SIGN.findall(latex)).read()
    return re.sub(r"[ \t]{2,}", " ", written).strip()


class _Formula:
    def __init__(self, signs: list[str]) -> None:
        self._signs = signs
        self._at = 0
        self._depth = 0

    def read(self) -> str:
        """Everything up to the end."""
        written = []
        while self._at < len(self._signs):
            if self._signs[self._at] == "}":
                self._at += 1
                continue
            written.append(self._next())
        return "".join(written)

    def _next(self) -> str:
        sign = self._signs[self._at]
        self._at += 1
        if self._depth >= _MAX_DEPTH:
            return sign
        self._depth += 1
        written = self._written(sign)
        self._depth -= 1
        return written

    def _written(self, sign: str) -> str:
        if sign == "{":
            return self._group()
        if sign in "^_":
            return self._small(RAISED if sign == "^" else LOWERED, sign)
        if sign == "&" or sign.isspace():
            return " "
        return self._command(sign) if sign.startswith("\\") else sign

    def _group(self) -> str:
        written = []
        while self._at < len(self._signs) and self._signs[self._at] != "}":
            written.append(self._next())
        self._at += 1
        return "".join(written)

    def _argument(self) -> str:
        """What a command applies to: a group, or the next sign."""
        while self._at < len(self._signs) and self._signs[self._at].isspace():
            self._at += 1
        if self._at >= len(self._signs) or self._signs[self._at] == "}":
            return ""
        return self._next()

    def _small(self, letters: dict[str, str], sign: str) -> str:
        inside = self._argument().strip()
        if inside and all(letter in letters for letter in inside):
            return "".join(letters[letter] for letter in inside)
        return sign + (inside if len(inside) == 1 else f"({inside})")

    def _command(self, sign: str) -> str:
        name = sign[1:].rstrip("*")
        if name in ("frac", "dfrac", "tfrac", "binom"):
            return self._fraction(name)
        if name == "sqrt":
            return self._root()
        if name in _WITH_ARGUMENT:
            return _applied(name, self._argument())
        if name in _SILENT:
            return ""
        return GREEK.get(name) or SIGNS.get(name) or name

    def _fraction(self, name: str) -> str:
        above, below = self._argument().strip(), self._argument().strip()
        if name == "binom":
            return f"C({above}, {below})"
        return f"{_enclosed(above)}/{_enclosed(below)}"

    def _root(self) -> str:
        degree = ""
        if self._at < len(self._signs) and self._signs[self._at] == "[":
            close = self._signs.index("]", self._at) if "]" in self._signs[self._at :] else self._at
            degree = "".join(RAISED.get(sign, sign) for sign in self._signs[self._at + 1 : close])
            self._at = close + 1
        inside = self._argument().strip()
        is_short = len(inside) == 1 or inside.isdigit()
        return f"{degree}√{inside if is_short else f'({inside})'}"


def _applied(name: str, inside: str) -> str:
    """What a command that takes one argument makes of it; environments only tell how to set it."""
    if name == "mathbb":
        return BLACKBOARD.get(inside, inside)
    return inside + ACCENTS[name] if name in ACCENTS else ""


def _enclosed(part: str) -> str:
    return part if _SIMPLE.fullmatch(part) else f"({part})"
