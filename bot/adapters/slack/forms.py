"""Forms, and what comes back from them (pure)."""

import json
from collections.abc import Sequence
from typing import Any

from bot.adapters.slack.layouts import Block, plain
from bot.splitting import shortened
from core.model import Book, Layer, Level
from core.model.limits import MAX_QUESTION_CHARS

ASK_FORM, SEARCH_FORM, BOOK_FORM, WHY_FORM = "ask_form", "search_form", "book_form", "why_form"
MAX_INPUT_CHARS = 3000
MAX_OPTION_CHARS = 75
PASSAGE = "passage"

View = dict[str, Any]


def modal(
    title: str, blocks: Sequence[Block], *, callback_id: str, about: object = None, submit: str = ""
) -> View:
    """A form, or something to read where there is nothing to submit. *about* comes back with it."""
    view: View = {"type": "modal", "callback_id": callback_id, "title": plain(title), "blocks": list(blocks)}
    view["close"] = plain("Close")
    view["private_metadata"] = json.dumps(about)
    return {**view, "submit": plain(submit)} if submit else view


def field(name: str, label: str, element: Block, *, is_optional: bool = True, hint: str = "") -> Block:
    block: Block = {"type": "input", "block_id": name, "label": plain(label), "optional": is_optional}
    block["element"] = {"action_id": name, **element}
    return {**block, "hint": plain(hint)} if hint else block


def text_input(*, most: int = MAX_INPUT_CHARS, is_long: bool = False, initial: str = "") -> Block:
    element: Block = {"type": "plain_text_input", "multiline": is_long, "max_length": most}
    return {**element, "initial_value": initial[:most]} if initial else element


def select(options: Sequence[tuple[str, str]], kind: str = "static_select") -> Block:
    """A choice; each option is what it stands for and what is read."""
    listed = [{"text": plain(shortened(label, MAX_OPTION_CHARS)), "value": value} for value, label in options]
    return {"type": kind, "options": listed}


def values_of(view: View) -> dict[str, str]:
    """What was filled in, by the names of the fields."""
    filled: dict[str, str] = {}
    for name, actions in view["state"]["values"].items():
        found = next(iter(actions.values()))
        chosen = found.get("selected_option")
        several = found.get("selected_options")
        if several is not None:
            filled[name] = ",".join(each["value"] for each in several)
        else:
            filled[name] = str((chosen["value"] if chosen else found.get("value")) or "")
    return filled


def ask_view(passage: str, about: object) -> View:
    """A question about a message. That stands in the form, so it comes back with it even after a restart."""
    shown = [
        {"type": "section", "block_id": f"{PASSAGE}:{place}", "text": {**plain(part), "emoji": False}}
        for place, part in enumerate(_pieces(passage))
    ]
    question = text_input(most=MAX_QUESTION_CHARS, is_long=True)
    asked = field("question", "Your question", question, hint="I answer in the message's thread.")
    return modal("Ask about this", [asked, *shown], callback_id=ASK_FORM, about=about, submit="Ask")


def _pieces(text: str) -> list[str]:
    return [text[start : start + MAX_INPUT_CHARS] for start in range(0, len(text), MAX_INPUT_CHARS)]


def passage_of(view: View) -> str:
    """The message that an "Ask about this" form is about."""
    shown = [block for block in view["blocks"] if str(block.get("block_id", "")).startswith(PASSAGE)]
    return "".join(block["text"]["text"] for block in shown)


def why_view(nonce: str) -> View:
    asked = field("why", "What was wrong with it?", text_input(most=1000, is_long=True))
    return modal("Not helpful?", [asked], callback_id=WHY_FORM, about=nonce, submit="Send")


def search_view(books: Sequence[Book], words: str, about: object) -> View:
    """A form for all that can be filtered by."""
    blocks = [field("words", "Words", text_input(most=MAX_QUESTION_CHARS, initial=words), is_optional=False)]
    if books:
        blocks.append(field("book", "Book", select([(book.id, book.title) for book in books[:100]])))
    blocks += [
        field("module", "Module", text_input(most=200)),
        field("chapter", "Chapters", text_input(most=20), hint="One number, or a range such as 4-6."),
        field("lesson", "Lesson", text_input(most=10)),
        field("level", "Levels", select([(each, each) for each in Level], "multi_static_select")),
        field("tier", "Hardware tier at most", select([(str(tier), str(tier)) for tier in range(1, 5)])),
        field("layer", "Layer", select([(each, each) for each in Layer])),
        field("limit", "How many", select([(str(count), str(count)) for count in (3, 5, 10, 20)])),
    ]
    return modal("Search the book", blocks, callback_id=SEARCH_FORM, about=about, submit="Search")


def book_view(about: object) -> View:
    """A book by file or by link."""
    file = {"type": "file_input", "max_files": 1, "filetypes": ["md", "txt", "html", "epub", "pdf", "zip"]}
    blocks = [
        field("file", "A file", file, hint="Markdown, text, HTML, EPUB, PDF, or a zip of them."),
        field("link", "Or a link", text_input(most=2000), hint="A page, a site with a sitemap, or a file."),
        field("title", "Title", text_input(most=200)),
    ]
    return modal("Add a book", blocks, callback_id=BOOK_FORM, about=about, submit="Add")
