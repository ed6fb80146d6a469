"""Passages, search results, conversations and the home page, as Slack's blocks (pure)."""

import json
from collections.abc import Sequence

from bot import telling
from bot.adapters.slack.forms import View, modal
from bot.adapters.slack.layouts import READ, Block, button, context, plain, sections, told
from bot.markup import escape_mrkdwn, mrkdwn_link, to_mrkdwn
from bot.splitting import shortened
from core.model import Chunk, SearchResults
from core.store.places import Visit

TURN_PAGE, SHARE, FORGET_VISIT, OPEN_SEARCH, OPEN_BOOK = (
    "turn_page",
    "share",
    "forget_visit",
    "open_search",
    "open_book",
)
"""What our buttons are called."""
MAX_HIT_CHARS = 400


def results_blocks(results: SearchResults) -> list[Block]:
    """Ranked passages, each with a link, to read or to share."""
    blocks = told(telling.results_head(results))
    for number, hit in enumerate(results.hits, 1):
        link = mrkdwn_link(telling.hit_place(hit), hit.chunk.url)
        words = to_mrkdwn(telling.hit_words(hit, most=MAX_HIT_CHARS))
        blocks += sections(f"*{number}.* {link}\n{words}")[:1]
        row = [button("Read", f"{READ}:{number}", hit.chunk.id), button("Share here", SHARE, hit.chunk.id)]
        blocks.append({"type": "actions", "elements": row})
    return blocks


def passage_view(chunk: Chunk) -> View:
    """A passage with what stands before and after it one button away."""
    turns = [("◀ Before", chunk.previous_id), ("After ▶", chunk.next_id)]
    buttons = [button(label, f"{TURN_PAGE}:{label}", chunk_id) for label, chunk_id in turns if chunk_id]
    blocks = [*passage_blocks(chunk), *([{"type": "actions", "elements": buttons}] if buttons else [])]
    return modal("From the book", blocks, callback_id="passage")


def passage_blocks(chunk: Chunk) -> list[Block]:
    place = mrkdwn_link(chunk.breadcrumb or chunk.page_title, chunk.url)
    return [*sections(f"*{place}*"), *told(chunk.text), context(f"Passage {chunk.index + 1} of {chunk.total}")]


def visit_blocks(visits: Sequence[Visit]) -> list[Block]:
    """Conversations that a member may have us forget."""
    blocks: list[Block] = []
    for visit in visits:
        words = escape_mrkdwn(shortened(visit.first_words, 120))
        place = json.dumps([visit.key.channel, visit.key.thread])
        when = visit.asked_at[:10]
        blocks += [{**sections(f"{words}\n_{when}_")[0], "accessory": button("Forget", FORGET_VISIT, place)}]
    return blocks


def home_view(help_text: str, books: str, visits: Sequence[Visit], *, is_leader: bool) -> View:
    """The App Home: how to ask, the books, and the member's own conversations."""
    row = [button("Search the book", OPEN_SEARCH, "home")]
    if is_leader:
        row.append(button("Add a book", OPEN_BOOK, "home"))
    blocks: list[Block] = [
        {"type": "header", "text": plain("Footnote")},
        *told(help_text),
        {"type": "actions", "elements": row},
        {"type": "divider"},
        *told(books),
    ]
    if visits:
        blocks += [{"type": "divider"}, *told("**Your conversations**"), *visit_blocks(visits)]
    return {"type": "home", "blocks": blocks[:100]}
