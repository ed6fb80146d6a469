"""Markdown inside a paragraph → the same words with light markup: code, bold and italics stay, the rest goes."""

import html
import re
from collections.abc import Collection

from core.ingestion.readers.formulas import INLINE_FORMULA
from core.ingestion.readers.raised import lowered, raised

# Every quantifier is bounded or stops at the next opening mark, so that no text, however hostile,
# makes these patterns take more than linear time.
_CODE_SPAN = re.compile(r"(?<![`\\])(`{1,10})(?!`)([^`]|(?!\1(?!`))`+){1,500}?\1(?!`)")
_TARGET = (
    r"\(\s{0,5}(?:<[^<>\n]{0,2000}>|(?:[^()\s]|\([^()\s]{0,500}\)){0,2000})"
    r"(?:\s{1,5}(?:\"[^\"]{0,500}\"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,5}\)"
)
_LABEL = r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]{0,200}\]){0,1000})\]"
_IMAGE = re.compile(r"!" + _LABEL + r"(?:" + _TARGET + r"|\[[^\[\]]{0,200}\])")
_LINK = re.compile(r"(?<!\\)" + _LABEL + _TARGET)
_REFERENCE = re.compile(
    r"(?<![\\\]\w])\[((?:[^\[\]\\^]|\\.)(?:[^\[\]\\]|\\.){0,500})\](?:\[([^\[\]]{0,300})\])?(?![(:\[])"
)
_AUTOLINK = re.compile(r"<((?:https?|mailto|ftp):[^\s<>]{1,1000})>")
_TAG = re.compile(r"(?<!\\)</?([A-Za-z][\w.-]{0,60})((?:\s[^<>]{0,2000})?/?)>")
_RAISED = re.compile(r"<(su[pb])>\s{0,3}([^<>]{1,60}?)\s{0,3}</\1>", re.IGNORECASE)
_BREAK = re.compile(r"(?<!\\)<br\s{0,5}/?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"\b(?:alt|caption|label|title|summary|question)=(?:\"([^\"]*)\"|'([^']*)'|\{[\"'`]([^\"'`]*)[\"'`]\})"
)
_JSX_BLANK = re.compile(r"\{\s{0,5}[\"'`]\s{0,5}[\"'`]\s{0,5}\}")
_KEPT = re.compile("\x00(\\d+)\x00")

# Stand for tags until it is known what is beside them; no text holds control characters.
_BLOCK, _ITEM, _CELL, _BOX = "\x01", "\x02", "\x03", "\x04"
_SEAMS = re.compile("(?:(?<![ \t])[ \t]{1,50})?[\x01-\x04][\x01-\x04 \t]*")
_BLOCK_TAGS = """
article blockquote caption center dd details dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p section
summary table tbody tfoot thead tr ul
"""
_SET_APART = frozenset(_BLOCK_TAGS.split())

_HTML_TAGS = """
a abbr acronym address article aside audio b bdi bdo big blockquote body button canvas caption center
cite code col colgroup data dd del details dfn dialog div dl dt em embed fieldset figcaption figure font
footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link
main map mark meta nav noscript object ol optgroup option output p param picture pre q rp rt ruby s samp
script section select small source span strike strong style sub summary sup svg table tbody td template
textarea tfoot th thead time title tr track tt u ul var video wbr path circle rect line polyline polygon
g
"""
HTML_TAGS = frozenset(_HTML_TAGS.split())


def clean_inline(text: str, references: Collection[str] = ()) -> str:
    """The words of a paragraph, list, quote or table row, without links' targets, tags and comments.

    *references* are the link labels the lesson defines, lower-cased; only those lose their brackets.
    """
    if "<" not in text and "[" not in text and "&" not in text and "{" not in text:
        return text
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\x00{len(kept) - 1}\x00"

    if "`" in text:
        text = _CODE_SPAN.sub(keep, text)
    if "$" in text or "\\(" in text:
        text = INLINE_FORMULA.sub(keep, text)
    if "[" in text:
        text = _without_links(text, references)
    if "{" in text:
        text = _JSX_BLANK.sub("", text)
    if "<" in text or "{/*" in text:
        text = without_tags(without_comments(text))
    if "&" in text:
        text = html.unescape(text).replace("\xa0", " ")
    return _KEPT.sub(lambda match: kept[int(match[1])], text) if kept else text


def without_comments(text: str) -> str:
    """The text without <!-- HTML --> and {/* JSX */} comments; one that is never closed is left as it is."""
    for opening, closing in (("<!--", "-->"), ("{/*", "*/}")):
        if opening in text:
            text = _without(text, opening, closing)
    return text


def without_tags(text: str) -> str:
    """The text between the tags. Alt texts, captions and labels count as text; placeholders like <name> stay."""
    text = _AUTOLINK.sub(r"\1", _BREAK.sub("\n" if "|" not in text else " ", text))
    if "<su" in text.lower():
        text = _RAISED.sub(_raised, text)
    is_table = "|" in text
    reduced = _TAG.sub(_reduced_tag, text)
    return _SEAMS.sub(lambda run: _parted(run, is_table=is_table), reduced)


def plain(text: str) -> str:
    """One line without any markup, as a heading reads in a table of contents."""
    text = clean_inline(text).replace("`", "")
    text = re.sub(
        r"(\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))", "", re.sub(r"\\([\\*_#\[\]`<>])", r"\1", text)
    )
    return " ".join(text.split())


def _without(text: str, opening: str, closing: str) -> str:
    parts: list[str] = []
    position = 0
    while (start := text.find(opening, position)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        parts.append(text[position:start])
        position = end + len(closing)
    return "".join(parts) + text[position:]


def _without_links(text: str, references: Collection[str]) -> str:
    if "![" in text:
        text = _IMAGE.sub(lambda match: match[1], text)
    if "](" in text:
        text = _LINK.sub(lambda match: match[1], text)
    if references:
        text = _REFERENCE.sub(lambda match: match[1] if _defined(match, references) else match[0], text)
    return text


def _defined(match: re.Match[str], references: Collection[str]) -> bool:
    label = match[2] or match[1]
    return " ".join(label.split()).casefold() in references


def _raised(match: re.Match[str]) -> str:
    return raised(match[2]) if match[1].lower() == "sup" else lowered(match[2])


def _reduced_tag(match: re.Match[str]) -> str:
    name, rest = match[1], match[2]
    is_component, is_end = name[0].isupper(), match[0].startswith("</")
    if not is_component and name.lower() not in HTML_TAGS:
        return match[0]
    if not is_end and match.start() and match.string[match.start() - 1].isalnum() and _is_prose(name, rest):
        return match[0]
    said = attribute_text(name, rest) if rest else ""
    return said or (_seam(name.lower(), is_end=is_end) if not is_component else "")


def _is_prose(name: str, rest: str) -> bool:
    """What is no tag where it follows a word at once: Vec<String> is a type, "x<b and y>z" compares."""
    words = rest.strip(" /\n")
    return "=" not in words and "{" not in words if words else name[0].isupper() and not rest


def _seam(name: str, *, is_end: bool) -> str:
    if name == "li" and not is_end:
        return _ITEM
    if name in {"td", "th"}:
        return _CELL
    # Styles often make of a div a box within a sentence.
    return _BLOCK if name in _SET_APART else _BOX if name == "div" else ""


def _parted(run: re.Match[str], *, is_table: bool) -> str:
    """What stands between two blocks, items or cells whose tags are gone; "Elbow" and "5" would read "Elbow5"."""
    marks, text = run[0], run.string
    if run.end() == len(text) or text[run.end()] == "\n":
        return ""
    is_first = run.start() == 0 or text[run.start() - 1] == "\n"
    if is_table:
        return "" if is_first else " "
    if _ITEM in marks:
        return "- " if is_first else "\n- "
    if is_first:
        return marks[: len(marks) - len(marks.lstrip(" \t"))]
    return "\n" if _BLOCK in marks else " | " if _CELL in marks else " "


def attribute_text(name: str, attributes: str) -> str:
    """What a tag itself says to a reader: an image's alt text, a tab's label, a listing's caption."""
    if name in {"a", "span", "div", "abbr", "iframe", "link", "input", "svg"}:
        return ""
    said = [" ".join((a or b or c).split()) for a, b, c in _ATTRIBUTE.findall(attributes)]
    said = [words for words in said if words]
    if not said:
        return ""
    words = ". ".join(dict.fromkeys(said))
    return words if name == "img" else f"**{words}**\n\n"
