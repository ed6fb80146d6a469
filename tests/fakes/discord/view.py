"""The local Discord as a page: channels, threads, messages and forms, drawn from the real components."""

import html
import re
from datetime import datetime
from pathlib import Path

from tests.fakes.discord.wire import EPHEMERAL_FLAG, LOADING_FLAG, Json
from tests.fakes.discord.world import World

STYLE = Path(__file__).with_name("view.css")
ROW, BUTTON, SELECT, TEXT, SEPARATOR, CONTAINER = 1, 2, 3, 10, 14, 17


def channel_html(world: World, channel_id: str) -> str:
    """A channel or thread: what was said in it, oldest first."""
    messages = sorted(world.messages.get(channel_id, {}).values(), key=lambda each: int(each["id"]))
    return "".join(message_html(world, each) for each in messages)


def message_html(world: World, message: Json) -> str:
    """One message as Discord would draw it."""
    author = message["author"]
    name = author["global_name"] or author["username"]
    badge = '<span class="app">APP</span>' if author["bot"] else ""
    time = datetime.fromisoformat(message["timestamp"]).strftime("%H:%M")
    face = f'<div class="face {"bot" if author["bot"] else ""}">{html.escape(name[0].upper())}</div>'
    body = components_html(message["components"], world)
    if message["content"]:
        body = markdown_html(message["content"], world) + body
    if message["flags"] & LOADING_FLAG:
        body = "<p><em>Footnote is thinking …</em></p>"
    drawn = (
        f'<article data-id="{message["id"]}" data-channel="{message["channel_id"]}">{face}<div>'
        f"{_reply(message)}<header><b>{html.escape(name)}</b>{badge}<time>{time}</time></header>"
        f"{body}{_thread(world, message)}</div></article>"
    )
    if message["flags"] & EPHEMERAL_FLAG:
        return f'<div class="private">{drawn}<em>👁 Only you can see this</em></div>'
    return drawn


def _reply(message: Json) -> str:
    target = message.get("referenced_message")
    if not target:
        return ""
    words = target["content"] or "Click to see the answer"
    return (
        f'<div class="reply"><b>{html.escape(target["author"]["global_name"])}</b> {html.escape(words[:90])}</div>'
    )


def _thread(world: World, message: Json) -> str:
    thread = message.get("thread")
    if not thread:
        return ""
    count = len(world.messages.get(thread["id"], {}))
    label = f"{thread['name']} · {count} message{'' if count == 1 else 's'}"
    return f'<a class="thread" href="?channel={thread["id"]}">🧵 {html.escape(label)}</a>'


def components_html(components: list[Json], world: World) -> str:
    return "".join(_component(each, world) for each in components)


def _component(component: Json, world: World) -> str:
    inside = component.get("components", [])
    match component["type"]:
        case 17:
            colour = f"#{component.get('accent_color') or 0x4E5058:06x}"
            drawn = f'<div class="box" style="border-color:{colour}">{components_html(inside, world)}</div>'
        case 1:
            drawn = f'<div class="row">{components_html(inside, world)}</div>'
        case 10:
            drawn = markdown_html(component["content"], world)
        case 14:
            drawn = "<hr>"
        case 2:
            label = " ".join(filter(None, ((component.get("emoji") or {}).get("name"), component.get("label"))))
            off = " disabled" if component.get("disabled") else ""
            pressed = html.escape(component.get("custom_id", ""))
            drawn = f'<button data-press="{pressed}"{off}>{html.escape(label)}</button>'
        case 3:
            drawn = f'<div class="select">{html.escape(component.get("placeholder") or "")} ⌄</div>'
        case _:
            drawn = ""
    return drawn


def markdown_html(text: str, world: World) -> str:
    """Discord's Markdown as HTML: small print, headings, lists, quotes, code, links, mentions."""
    parts = re.split(r"```\w*\n?(.*?)```", text, flags=re.DOTALL)
    drawn = []
    for number, part in enumerate(parts):
        if number % 2:
            drawn.append(f"<pre>{html.escape(part.rstrip())}</pre>")
        else:
            drawn += [_line(line, world) for line in part.split("\n") if line.strip()]
    return "".join(drawn).replace("</ul><ul>", "")


def _line(line: str, world: World) -> str:
    for mark, tag in (("-# ", "small"), ("### ", "h3"), ("## ", "h3"), ("# ", "h3"), ("> ", "blockquote")):
        if line.startswith(mark):
            return f"<{tag}>{inline_html(line.removeprefix(mark), world)}</{tag}>"
    if item := re.match(r"\s*(?:[-*•]|\d+\.) ", line):
        return f"<ul><li>{inline_html(line[item.end() :], world)}</li></ul>"
    return f"<p>{inline_html(line, world)}</p>"


def inline_html(text: str, world: World) -> str:
    text = re.sub(r"\\([^\w\s])", lambda found: f"\x00{ord(found[1])}\x01", text)
    text = re.sub(r"\[((?:\[[^\]]*\]|[^\[\]])+)\]\(<?(https?://[^)>\s]+)>?\)", "\x02\\2\x03\\1\x04", text)
    text = re.sub(r"<@!?(\d+)>", lambda found: f"\x05@{_name(world, found[1])}\x06", text)
    text = html.escape(text, quote=False)
    text = re.sub("\x02(.*?)\x03(.*?)\x04", r'<a href="\1">\2</a>', text)
    text = text.replace("\x05", '<span class="mention">').replace("\x06", "</span>")
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"(?<![\w*])\*([^*]+)\*(?!\w)", r"<i>\1</i>", text)
    return re.sub("\x00(\\d+)\x01", lambda found: html.escape(chr(int(found[1]))), text)


def _name(world: World, user_id: str) -> str:
    user = world.users.get(user_id)
    return str(user["global_name"]) if user else "member"


def form_html(modal: Json) -> str:
    """A form as the window it opens in."""
    fields = "".join(
        f'<label>{html.escape(each["label"])}<div class="input"></div></label>' for each in modal["components"]
    )
    title = html.escape(modal["title"])
    return f'<div class="modal"><h2>{title}</h2>{fields}<footer><button>Submit</button></footer></div>'


def page(title: str, body: str, *, side: str = "", side_title: str = "", script: str = "") -> str:
    """A whole page around what was drawn."""
    style = STYLE.read_text(encoding="utf-8")
    head = f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>{style}</style>"
    thread = f"<aside><h1>{html.escape(side_title)}</h1>{side}</aside>" if side else ""
    shown = f"<h1>{html.escape(title)}</h1>" if title else ""
    return f"{head}<main><section>{shown}{body}</section>{thread}</main>{script}"
