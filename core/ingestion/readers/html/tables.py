"""Writes a table of a page as a Markdown table."""

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from core.ingestion.readers.html.inline import inline

MAX_COLUMNS = 60
MAX_SPAN = 60
"""A cell may claim to span thousands of rows; no printed table does."""


@dataclass(frozen=True, slots=True)
class _Row:
    cells: list[str]
    is_head: bool


def is_layout(table: LexborNode) -> bool:
    """Whether a table only arranges a page: it holds headings, listings or other tables, or a single column."""
    if table.attributes.get("role") in {"presentation", "none"}:
        return True
    if table.css_first("h1, h2, h3, h4, h5, h6, pre, td table, td ul, td ol, td dl") is not None:
        return True
    return max((len(_cells(row)) for row in table.css("tr")), default=0) < 2


def table_text(table: LexborNode) -> str:
    """The table with its caption above it; empty when it has no words."""
    rows = _rows(table)
    if not any(any(row.cells) for row in rows):
        return ""
    width = max(len(row.cells) for row in rows)
    head = rows[0].cells if rows[0].is_head else [""] * width
    body = rows[1:] if rows[0].is_head else rows
    lines = [_line(head, width), "|" + " --- |" * width, *(_line(row.cells, width) for row in body)]
    caption = table.css_first("caption")
    title = inline(caption).replace("\n", " ") if caption is not None else ""
    return "\n".join([f"{title}\n", *lines] if title else lines)


def _rows(table: LexborNode) -> list[_Row]:
    rows: list[_Row] = []
    pending: dict[int, tuple[int, str]] = {}
    for row in table.css("tr"):
        found = _cells(row)
        cells = _placed(found, pending)
        if cells:
            is_head = bool(found) and all(cell.tag == "th" for cell in found)
            rows.append(_Row(cells[:MAX_COLUMNS], is_head))
    return rows


def _placed(found: list[LexborNode], pending: dict[int, tuple[int, str]]) -> list[str]:
    """One row's texts by column; *pending* holds the cells that reach down from the rows above."""
    cells: list[str] = []
    queue = list(found)
    while queue or len(cells) in pending:
        column = len(cells)
        if column in pending:
            rows_left, text = pending.pop(column)
            if rows_left > 1:
                pending[column] = (rows_left - 1, text)
            cells.append(text)
            continue
        cell = queue.pop(0)
        text = inline(cell).replace("\n", " ").replace("|", "\\|")
        rows_down, columns = _span(cell, "rowspan"), _span(cell, "colspan")
        if rows_down > 1:
            pending[column] = (rows_down - 1, text)
        cells.extend([text] + [""] * (columns - 1))
    return cells


def _cells(row: LexborNode) -> list[LexborNode]:
    return [child for child in row.iter() if child.tag in {"td", "th"}]


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(int(value), MAX_SPAN) if value.isdecimal() and value != "0" else 1


def _line(cells: list[str], width: int) -> str:
    padded = cells + [""] * (width - len(cells))
    return "| " + " | ".join(padded) + " |"
