"""The local Slack as a page: channels, messages, threads and forms, drawn from the real blocks."""

import html
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from markdown_it import MarkdownIt

from tests.fakes.slack.world import Json, World

STYLE = Path(__file__).with_name("view.css")


def channel_html(world: World, channel: str) -> str:
    """A channel: what was said in it, oldest first, each with how many replies it has."""
    roots = [each for each in world.messages[channel].values() if each.get("thread_ts", each["ts"]) == each["ts"]]
    return "".join(message_html(world, each, replies=len(world.thread(channel, each["ts"])) - 1) for each in roots)


def thread_html(world: World, channel: str, root: str) -> str:
    return "".join(message_html(world, each) for each in world.thread(channel, root))


def message_html(world: World, message: Json, *, replies: int = 0) -> str:
    """One message with its blocks, as Slack would draw it."""
    name, is_bot = _author(world, message)
    stream = world.streams.get(message["ts"])
    is_streaming = stream is not None and stream.state == "open"
    body = blocks_html(message["blocks"]) if message.get("blocks") else ""
    if is_streaming or not body:
        body += _markdown(message["text"]) if is_streaming else f"<p>{mrkdwn_html(message['text'], world)}</p>"
    badge = '<span class="app">APP</span>' if is_bot else ""
    cursor = '<span class="cursor"></span>' if is_streaming else ""
    count = f'<a class="replies" data-thread="{message["ts"]}">{replies} replies</a>' if replies > 0 else ""
    time = datetime.fromtimestamp(float(message["ts"]), UTC).strftime("%H:%M")
    face = f'<div class="face {"bot" if is_bot else ""}">{name[0].upper()}</div>'
    return (
        f'<article data-ts="{message["ts"]}">{face}<div>'
        f"<header><b>{html.escape(name)}</b>{badge}<time>{time}</time></header>{body}{cursor}{count}</div></article>"
    )


def _author(world: World, message: Json) -> tuple[str, bool]:
    user = world.users.get(message.get("user", ""))
    return (str(user["real_name"]), False) if user else ("Footnote", True)


def blocks_html(blocks: Sequence[Json]) -> str:
    return "".join(_block(block) for block in blocks)


def _block(block: Json) -> str:
    match block["type"]:
        case "markdown":
            drawn = _markdown(block["text"])
        case "section":
            accessory = _element(block["accessory"]) if "accessory" in block else ""
            drawn = f'<div class="section"><div>{_text(block["text"])}</div>{accessory}</div>'
        case "header":
            drawn = f"<h2>{_text(block['text'])}</h2>"
        case "context":
            drawn = f'<p class="context">{" ".join(_text(each) for each in block["elements"])}</p>'
        case "actions" | "context_actions":
            drawn = f'<div class="actions">{"".join(_element(each) for each in block["elements"])}</div>'
        case "divider":
            drawn = "<hr>"
        case "input":
            drawn = _input(block)
        case "task_card":
            drawn = f'<p class="context">✦ {html.escape(block["title"])}</p>'
        case _:
            drawn = ""
    return drawn


def _input(block: Json) -> str:
    element = block["element"]
    hint = f"<small>{_text(block['hint'])}</small>" if "hint" in block else ""
    lines = 4 if element.get("multiline") else 1
    shown = "Choose a file" if element["type"] == "file_input" else html.escape(element.get("initial_value", ""))
    box = f'<div class="input" style="min-height:{lines * 1.4}em">{shown}</div>'
    return f"<label>{_text(block['label'])}{box}{hint}</label>"


def _element(element: Json) -> str:
    if element["type"] == "feedback_buttons":
        both = (element["positive_button"], element["negative_button"])
        return "".join(_button(each["text"], element["action_id"], each["value"]) for each in both)
    return _button(element["text"], element["action_id"], element.get("value", "")) if "text" in element else ""


def _button(text: Json, action: str, value: str) -> str:
    return f'<button data-action="{html.escape(action)}" data-value="{html.escape(value)}">{_text(text)}</button>'


def _text(text: Json) -> str:
    return mrkdwn_html(text["text"]) if text["type"] == "mrkdwn" else html.escape(text["text"])


def _markdown(text: str) -> str:
    return str(MarkdownIt("commonmark", {"html": False}).enable("strikethrough").render(text))


def mrkdwn_html(text: str, world: World | None = None) -> str:
    """mrkdwn as HTML; names for mentions where the world is known."""
    text = re.sub(r"<@([A-Z0-9]+)>", lambda found: f"@{_name(world, found[1])}", text)
    text = html.escape(html.unescape(re.sub(r"<(https?://[^|>]+)\|([^>]+)>", "\x01\\1\x02\\2\x03", text)))
    text = re.sub("\x01(.*?)\x02(.*?)\x03", r'<a href="\1">\2</a>', text)
    text = re.sub(r"```\n?(.*?)\n?```", r"<pre>\1</pre>", text, flags=re.DOTALL)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    # A sign styles what it touches on its inner side; a space there, however narrow, makes it a mere letter.
    for sign, tag in (("*", "b"), ("_", "i"), ("~", "s")):
        styled = rf"(?<![\w{sign}])\{sign}(?![\s\u200b])([^{sign}\n]+)(?<![\s\u200b])\{sign}(?!\w)"
        text = re.sub(styled, rf"<{tag}>\1</{tag}>", text)
    return text.replace("\n", "<br>")


def _name(world: World | None, user: str) -> str:
    if world is None:
        return user
    return str(world.users[user]["real_name"]) if user in world.users else "Footnote"


def modal_html(view: Json) -> str:
    """A form or something to read, as the window it opens in."""
    buttons = "".join(f"<button>{_text(view[name])}</button>" for name in ("close", "submit") if name in view)
    title = _text(view["title"]) if "title" in view else ""
    return f'<div class="modal"><h1>{title}</h1>{blocks_html(view["blocks"])}<footer>{buttons}</footer></div>'


def page(title: str, body: str, *, side: str = "", script: str = "") -> str:
    """A whole page around what was drawn."""
    thread = f"<aside><h1>Thread</h1>{side}</aside>" if side else ""
    style = STYLE.read_text(encoding="utf-8")
    head = f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>{style}</style>"
    return f"{head}<main><section><h1>{html.escape(title)}</h1>{body}</section>{thread}</main>{script}"
