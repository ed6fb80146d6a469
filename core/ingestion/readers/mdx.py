"""What MDX and Docusaurus add to Markdown, reduced to plain Markdown before it is parsed into blocks."""

import re
from dataclasses import dataclass

from core.ingestion.readers.fences import stretches
from core.ingestion.readers.inline import without_comments
from core.ingestion.readers.jsx import TagReducer

_IMPORT = re.compile(r"^import\s+(?:[\w*{][^\n;]{0,300}\sfrom\s+)?[\"'][^\"'\n]+[\"'];?\s*$")
_IMPORT_FROM = re.compile(
    r"^import[ \t]+[\w*{][^\n;]{0,300}[ \t]from[ \t]+[\"'][^\"'\n]+[\"'];?[ \t]*$", re.MULTILINE
)
"""What no sentence looks like."""
_IMPORT_OPEN = re.compile(r"^import\s+(?:\w+\s*,\s*)?\{[^}\n]*$")
_EXPORT = re.compile(r"^export\s+(?:default|const|let|var|function|async|class|\{|\*)")
_PLAIN_EXPORT = re.compile(r"^export\s+(?:default|const|function)\b")
_ADMONITION = re.compile(r"^[ \t]{0,12}(:{3,})[ \t]*([A-Za-z][\w-]*)?[ \t]*(.*?)[ \t]*$")
_ADMONITION_TITLE = re.compile(r"^\[(.*)\](?:\{[^}]*\})?$|^\{[^}]*\}$")
_SUMMARY = re.compile(r"<summary[^<>]{0,300}>\s*(.{0,1000}?)\s*</summary>", re.DOTALL | re.IGNORECASE)

MAX_STATEMENT_LINES = 60
"""Where an import or export is still open after this many lines, only its first line is taken for one."""


@dataclass(frozen=True, slots=True)
class _Statements:
    """Which lines are statements of a program rather than words."""

    import_line: re.Pattern[str]
    export_line: re.Pattern[str]


_NOTHING = re.compile(r"(?!)")
_NO_STATEMENTS = _Statements(_NOTHING, _NOTHING)


def to_markdown(text: str, *, is_mdx: bool) -> str:
    """The same lesson without comments, imports, components and admonition marks; code is left untouched.

    Docusaurus takes .md for MDX, too. In plain Markdown (*is_mdx* false) a line is an import only if it says from
    where, and an export only beside an import; one that merely begins with such a word is a sentence and stays.
    """
    if not is_mdx and not any(mark in text for mark in ("<", ":::", "{/*", "import ")):
        return text
    parts = list(stretches(text))
    if is_mdx:
        import_line, export_line = _IMPORT, _EXPORT
    else:
        imports = any(_IMPORT_FROM.search(part) for is_code, part in parts if not is_code)
        import_line, export_line = _IMPORT_FROM, _PLAIN_EXPORT if imports else _NOTHING
    statements = _Statements(import_line, export_line)
    return "".join(part if is_code else _reduced(part, statements) for is_code, part in parts)


def _reduced(text: str, statements: _Statements) -> str:
    if "<!--" in text or "{/*" in text:
        text = _without_block_comments(text)
    if "<summary" in text:
        text = _SUMMARY.sub(lambda match: f"\n**{' '.join(match[1].split())}**\n\n", text)
    lines = text.split("\n")
    tags = TagReducer(lines)
    kept: list[str] = []
    position = 0
    starts_paragraph = True
    while position < len(lines):
        line = lines[position]
        if line.lstrip().startswith("<"):
            skipped, words = tags.reduce(position)
            line = lines[position]
        else:
            skipped, words = _special(lines, position, statements if starts_paragraph else _NO_STATEMENTS)
        if skipped:
            kept.extend(words)
            position += skipped
            starts_paragraph = True
            continue
        kept.append(line)
        starts_paragraph = not line.strip()
        position += 1
    return "\n".join(kept)


def _without_block_comments(text: str) -> str:
    """Drop comments, except where an inline code span shows one."""
    if "`" not in text:
        return without_comments(text)
    paragraphs = re.split(r"(`[^`\n]{0,300}`)", text)
    if not any("<!--" in part or "{/*" in part for part in paragraphs[1::2]):
        return without_comments(text)
    return "".join(part if i % 2 else without_comments(part) for i, part in enumerate(paragraphs))


def _special(lines: list[str], at: int, statements: _Statements) -> tuple[int, list[str]]:
    """How many lines from *at* are not Markdown, and what they say; 0 where the line is ordinary."""
    line = lines[at]
    if line.lstrip().startswith(":::"):
        return _admonition(line)
    if line.startswith("import "):
        return _import(lines, at, statements)
    if line.startswith("export ") and statements.export_line.match(line):
        return _statement_length(lines, at), []
    return 0, []


def _admonition(line: str) -> tuple[int, list[str]]:
    found = _ADMONITION.match(line)
    if not found:
        return 0, []
    kind, title = found[2], found[3].strip()
    if kind is None:
        return 1, [""]
    bracketed = _ADMONITION_TITLE.match(title)
    title = (bracketed[1] or "") if bracketed else title
    return 1, ["", f"**{kind.capitalize()}: {title}**" if title else f"**{kind.capitalize()}:**", ""]


def _import(lines: list[str], at: int, statements: _Statements) -> tuple[int, list[str]]:
    if statements.import_line.match(lines[at]):
        return 1, []
    if statements is not _NO_STATEMENTS and _IMPORT_OPEN.match(lines[at]):
        for ahead in range(at + 1, min(len(lines), at + MAX_STATEMENT_LINES)):
            if re.search(r"\}\s*from\s*[\"']", lines[ahead]):
                return ahead - at + 1, []
            if not lines[ahead].strip():
                break
    return 0, []


def _statement_length(lines: list[str], at: int) -> int:
    """An export ends where its brackets are closed, or at a blank line outside of them."""
    depth = 0
    for ahead in range(at, min(len(lines), at + MAX_STATEMENT_LINES)):
        line = lines[ahead]
        depth += sum(line.count(mark) for mark in "({[") - sum(line.count(mark) for mark in ")}]")
        if depth <= 0 and (line.rstrip().endswith((";", "}", ")")) or not line.strip()):
            return ahead - at + 1
    return 1
