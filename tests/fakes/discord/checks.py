"""Discord's limits on what a bot sends, with its own error codes (pure)."""

from collections.abc import Iterator

from tests.fakes.discord.wire import V2_FLAG, Json, Refusal

MAX_CONTENT, MAX_V2_TEXT, MAX_COMPONENTS, MAX_CUSTOM_ID, MAX_LABEL = 2000, 4000, 40, 100, 80
MAX_EMBED_SUM, MAX_NONCE, MAX_CHOICES = 6000, 25, 25
ROW, BUTTON, SELECT, TEXT_INPUT, TEXT, LABEL = 1, 2, 3, 4, 10, 18
LINK_STYLE = 5
KNOWN = {ROW, BUTTON, SELECT, TEXT_INPUT, 9, TEXT, 11, 12, 13, 14, 17, LABEL}


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component, however deep."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        for name in ("accessory", "component"):
            if component.get(name):
                yield from walk([component[name]])


def text_of(message: Json) -> str:
    """All words a reader sees in a message: its content and its text displays."""
    shown = [message.get("content") or ""]
    shown += [each["content"] for each in walk(message.get("components") or []) if each["type"] == TEXT]
    return "\n".join(each for each in shown if each)


def check_message(body: Json, *, flags: int, is_edit: bool = False) -> None:
    """Refuse a message that Discord would refuse."""
    content, components = body.get("content") or "", body.get("components") or []
    if len(content) > MAX_CONTENT:
        raise Refusal.of_form("content", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_CONTENT} or fewer in length.")
    if len(str(body.get("nonce") or "")) > MAX_NONCE:
        raise Refusal.of_form("nonce", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_NONCE} or fewer in length.")
    _check_embeds(body.get("embeds") or [])
    if flags & V2_FLAG:
        _check_v2(content, body, components)
    elif any(each["type"] not in {ROW} for each in components) or len(components) > 5:
        raise Refusal.of_form(
            "components", "UNION_TYPE_CHOICES", "Only action rows, at most 5, without the v2 flag."
        )
    _check_components(components)
    if not is_edit and not (content.strip() or body.get("embeds") or components or body.get("_files")):
        raise Refusal(400, 50006, "Cannot send an empty message")


def _check_embeds(embeds: list[Json]) -> None:
    total = sum(len(each.get("title") or "") + len(each.get("description") or "") for each in embeds)
    if total > MAX_EMBED_SUM or len(embeds) > 10:
        raise Refusal.of_form("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _check_v2(content: str, body: Json, components: list[Json]) -> None:
    if content or body.get("embeds"):
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        raise Refusal.of_form("content", code, "The 'content' field cannot be used with components v2")
    everything = list(walk(components))
    letters = sum(len(each.get("content", "")) for each in everything if each["type"] == TEXT)
    if len(everything) > MAX_COMPONENTS:
        raise Refusal.of_form("components", "BASE_TYPE_BAD_LENGTH", "Must be 40 or fewer in number.")
    if letters > MAX_V2_TEXT:
        raise Refusal.of_form("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "Text exceeds 4000.")


def _check_components(components: list[Json]) -> None:
    ids, custom_ids = [], []
    for each in walk(components):
        if each["type"] not in KNOWN:
            raise Refusal.of_form("components", "UNION_TYPE_CHOICES", f"No component has type {each['type']}.")
        if each.get("id") is not None:
            ids.append(each["id"])
            if not 0 <= each["id"] < 2**31:
                raise Refusal.of_form("components.id", "NUMBER_TYPE_MAX", "int32")
        if each["type"] == TEXT and not each.get("content", "").strip():
            raise Refusal.of_form("components.content", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 4000.")
        if each["type"] == ROW and not 1 <= len(each["components"]) <= 5:
            raise Refusal.of_form("components.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5.")
        if each["type"] in {BUTTON, SELECT, TEXT_INPUT} and each.get("style") != LINK_STYLE:
            custom_ids.append(each.get("custom_id"))
        _check_one(each)
    if len(set(custom_ids)) != len(custom_ids):
        raise Refusal.of_form(
            "components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
        )
    if len(set(ids)) != len(ids):
        raise Refusal.of_form("components", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")


def _check_one(each: Json) -> None:
    acts = each["type"] in {BUTTON, SELECT} and each.get("style") != LINK_STYLE
    if acts and not 1 <= len(each.get("custom_id") or "") <= MAX_CUSTOM_ID:
        raise Refusal.of_form("components.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100.")
    label = each.get("label") or ""
    if each["type"] == BUTTON and (len(label) > MAX_LABEL or not (label or each.get("emoji"))):
        raise Refusal.of_form("components.label", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 80.")
    if each["type"] == SELECT:
        options = each.get("options") or []
        if not 1 <= len(options) <= 25 or len({option["value"] for option in options}) != len(options):
            raise Refusal.of_form(
                "components.options", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25, all different."
            )
        for option in options:
            if not 1 <= len(option["label"]) <= 100 or len(option.get("description") or "") > 100:
                raise Refusal.of_form(
                    "components.options.label", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100."
                )


def check_modal(body: Json) -> None:
    if not 1 <= len(body["title"]) <= 45 or not 1 <= len(body["components"]) <= 5:
        raise Refusal.of_form("data.title", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 45 in length.")
    if not 1 <= len(body["custom_id"]) <= MAX_CUSTOM_ID:
        raise Refusal.of_form("data.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    for each in walk(body["components"]):
        if each["type"] == LABEL and not 1 <= len(each["label"]) <= 45:
            raise Refusal.of_form("data.components.label", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 45.")
        if each["type"] == TEXT_INPUT and len(each.get("placeholder") or "") > 100:
            raise Refusal.of_form("data.components.placeholder", "BASE_TYPE_BAD_LENGTH", "Must be 100 or fewer.")


def check_choices(choices: list[Json]) -> None:
    """Refuse an autocomplete that Discord would not show."""
    if len(choices) > MAX_CHOICES:
        raise Refusal.of_form("data.choices", "BASE_TYPE_BAD_LENGTH", "Must be 25 or fewer in length.")
    for each in choices:
        if not 1 <= len(each["name"]) <= 100 or len(str(each["value"])) > 100:
            raise Refusal.of_form(
                "data.choices.name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."
            )


def check_thread_name(name: str | None) -> None:
    if not 1 <= len(name or "") <= 100:
        raise Refusal.of_form("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def check_command(command: Json) -> None:
    """Refuse a command that cannot be registered."""
    is_chat = command.get("type", 1) == 1
    if not 1 <= len(command["name"]) <= 32 or (is_chat and command["name"] != command["name"].lower()):
        raise Refusal.of_form("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    if is_chat and not 1 <= len(command.get("description") or "") <= 100:
        raise Refusal.of_form("description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    options = command.get("options") or []
    if len(options) > 25:
        raise Refusal.of_form("options", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    was_optional = False
    for option in options:
        check_command({**option, "type": 1})
        if option.get("required") and was_optional:
            raise Refusal.of_form(
                "options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options first"
            )
        was_optional = was_optional or not option.get("required")
