"""Reply → what Slack shows: a Markdown block, notes, sources, buttons, all within its limits (pure)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot import telling
from bot.markup import escape_mrkdwn, mrkdwn_link, to_mrkdwn, to_plain, to_slack_markdown
from bot.reply import Footnote, Pointer, Reply, ReplyKind
from bot.splitting import shortened, split

Block = dict[str, Any]

MAX_MARKDOWN_CHARS = 9_000
"""Slack takes 12,000 of Markdown in one message and about 13,000 of everything; the rest is for sources."""
MAX_SECTION_CHARS = 3_000
MAX_FALLBACK_CHARS = 2_500
"""chat.update takes no text beyond 4,000 characters."""
MAX_BUTTON_CHARS = 75
MAX_SOURCE_BUTTONS = 10

READ = "read_passage"
FEEDBACK = "feedback"
_UP, _DOWN = "👍 Helpful", "👎 Not helpful"


@dataclass(frozen=True, slots=True)
class Posting:
    """One message. *text* is for notifications and screen readers."""

    text: str
    blocks: tuple[Block, ...]


def to_postings(reply: Reply, *, nonce: str) -> list[Posting]:
    """The messages that show a reply, in order. Each carries *nonce*, by which it can be found again."""
    links = telling.links_of(reply)
    parts = split(to_slack_markdown(reply.text, links), MAX_MARKDOWN_CHARS)
    spoken = split(to_plain(reply.text), MAX_MARKDOWN_CHARS)
    postings = []
    for place, part in enumerate(parts):
        # What is left of hidden characters alone is nothing, and Slack takes no empty text.
        blocks = [markdown(part if part.strip() else "…", block_id=f"text:{nonce}:{place}")]
        if place == len(parts) - 1:
            blocks += _ending(reply)
            blocks += [] if reply.kind is ReplyKind.NOTICE else [_feedback(nonce)]
        heard = spoken[place] if place < len(spoken) else spoken[-1]
        postings.append(Posting(fallback(heard), tuple(blocks)))
    return postings


def to_private(reply: Reply, *, nonce: str) -> list[Posting]:
    """The same for one member's eyes, in blocks that Slack takes in private messages too."""
    parts = split(to_mrkdwn(reply.text, telling.links_of(reply)), MAX_MARKDOWN_CHARS)
    shown = [[*sections(part)] for part in parts]
    shown[-1] += [*_ending(reply), *([] if reply.kind is ReplyKind.NOTICE else [_plain_feedback(nonce)])]
    return [Posting(fallback(to_plain(reply.text)), tuple(blocks)) for blocks in shown]


def to_draft(text: str, *, nonce: str) -> Posting:
    """A reply while it is being written, where it cannot be streamed."""
    shown = split(to_slack_markdown(text), MAX_MARKDOWN_CHARS)[-1]
    return Posting(fallback(to_plain(text)), (markdown(shown or "…", block_id=f"text:{nonce}:0"),))


def _ending(reply: Reply) -> list[Block]:
    """What stands below the last part."""
    blocks = [context(to_mrkdwn(note)) for note in reply.notes]
    if reply.footnotes:
        sources = telling.sources_of(reply)
        blocks += sections("\n".join(_source_line(marks, each) for marks, each in sources))
        blocks.append(_read_buttons(_passages(reply)))
    if reply.nearest:
        lines = [f"• {mrkdwn_link(telling.source_name(each), each.url)}" for each in reply.nearest]
        blocks += sections("*Closest in the book*\n" + "\n".join(lines))
        blocks.append(_read_buttons(reply.nearest))
    sure = telling.confidence_text(reply)
    return [*blocks, context(escape_mrkdwn(sure))] if sure else blocks


def _source_line(marks: str, footnote: Footnote) -> str:
    return f"{marks} {mrkdwn_link(telling.source_name(footnote), footnote.url)}"


def _passages(reply: Reply) -> list[Footnote]:
    """One footnote for each passage: a passage cited twice needs one button."""
    return list({footnote.chunk_id: footnote for footnote in reversed(reply.footnotes)}.values())[::-1]


def _read_buttons(sources: Sequence[Footnote | Pointer]) -> Block:
    buttons = []
    for place, source in enumerate(sources[:MAX_SOURCE_BUTTONS]):
        label = f"Read [{source.number}]" if isinstance(source, Footnote) else shortened(source.title, 30)
        buttons.append(button(label, f"{READ}:{place}", source.chunk_id))
    return {"type": "actions", "elements": buttons}


def _feedback(nonce: str) -> Block:
    def half(text: str, verdict: str) -> Mapping[str, Any]:
        return {"text": plain(text), "value": f"{verdict}:{nonce}"}

    buttons = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": half(_UP, "up"),
        "negative_button": half(_DOWN, "down"),
    }
    return {"type": "context_actions", "elements": [buttons]}


def _plain_feedback(nonce: str) -> Block:
    up, down = button(_UP, f"{FEEDBACK}:up", f"up:{nonce}"), button(_DOWN, f"{FEEDBACK}:down", f"down:{nonce}")
    return {"type": "actions", "elements": [up, down]}


# -- blocks that views use too ----------------------------------------------------------------------------------


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def markdown(text: str, *, block_id: str) -> Block:
    return {"type": "markdown", "text": text, "block_id": block_id}


def sections(mrkdwn: str) -> list[Block]:
    """Text in as many sections as it needs; *verbatim* keeps Slack from making links of its own."""
    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": part, "verbatim": True}}
        for part in split(mrkdwn, MAX_SECTION_CHARS)
    ]


def told(text: str, links: Mapping[int, str] | None = None) -> list[Block]:
    """Markdown of ours as sections."""
    return sections(to_mrkdwn(text, links or {}))


def context(mrkdwn: str) -> Block:
    shown = split(mrkdwn, MAX_SECTION_CHARS)[0]
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": shown, "verbatim": True}]}


def button(label: str, action_id: str, value: str) -> Block:
    return {
        "type": "button",
        "text": plain(shortened(label, MAX_BUTTON_CHARS)),
        "action_id": action_id,
        "value": value,
    }


def fallback(text: str) -> str:
    """One line for notifications, that pings nobody."""
    return shortened(escape_mrkdwn(text), MAX_FALLBACK_CHARS) or "…"
