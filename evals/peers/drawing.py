"""Bars side by side, as an SVG that needs no library to draw and none to show."""

from collections.abc import Sequence
from html import escape

COLOURS = ("#0f6b5c", "#c9772b", "#7a869a", "#9c6ade", "#b0b7c3")
BAR, GAP, HEIGHT, LEFT, TOP = 22, 36, 220, 48, 40


def draw(values: Sequence[tuple[str, str, float | None]]) -> str:
    """A group of bars for each pack, a bar for each system, from 0.4 to 1."""
    packs = list(dict.fromkeys(pack for pack, _, _ in values))
    systems = list(dict.fromkeys(system for _, system, _ in values))
    found = {(pack, system): value for pack, system, value in values}
    group = len(systems) * BAR + GAP
    width = LEFT + len(packs) * group + GAP
    parts = [_axis(width), _legend(systems)]
    for at, pack in enumerate(packs):
        left = LEFT + GAP / 2 + at * group
        for number, system in enumerate(systems):
            parts.append(_bar(left + number * BAR, found.get((pack, system)), COLOURS[number % len(COLOURS)]))
        middle = left + len(systems) * BAR / 2
        parts.append(f'<text x="{middle}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{escape(pack)}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + 40}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="recall at five by pack and system">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _y(value: float) -> float:
    return TOP + HEIGHT * (1 - (max(0.4, value) - 0.4) / 0.6)


def _bar(x: float, value: float | None, colour: str) -> str:
    if value is None:
        return ""
    top = _y(value)
    label = f'<text x="{x + BAR / 2 - 1}" y="{top - 4}" text-anchor="middle" font-size="9">{value:.2f}</text>'
    return f'<rect x="{x}" y="{top}" width="{BAR - 3}" height="{TOP + HEIGHT - top}" fill="{colour}"/>{label}'


def _axis(width: float) -> str:
    lines = [
        f'<line x1="{LEFT}" x2="{width - 8}" y1="{_y(value)}" y2="{_y(value)}" stroke="#e3e6ea"/>'
        f'<text x="{LEFT - 6}" y="{_y(value) + 4}" text-anchor="end">{value:.1f}</text>'
        for value in (0.4, 0.6, 0.8, 1.0)
    ]
    return "\n".join(lines)


def _legend(systems: Sequence[str]) -> str:
    return "\n".join(
        f'<rect x="{LEFT + at * 110}" y="8" width="12" height="12" fill="{COLOURS[at % len(COLOURS)]}"/>'
        f'<text x="{LEFT + at * 110 + 18}" y="18">{escape(system)}</text>'
        for at, system in enumerate(systems)
    )
