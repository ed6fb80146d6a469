"""Forms with one field, and what comes back from forms and lists."""

from typing import Any

import discord
from discord import ui

from bot.adapters.discord.custom_ids import to_custom_id
from core.model.limits import MAX_QUESTION_CHARS


def form(title: str, label: str, verb: str, *about: object, is_required: bool = True) -> ui.Modal:
    """A form with one field, which `Acts` takes by its id when it is sent."""
    modal = ui.Modal(title=title, custom_id=to_custom_id(verb, *about), timeout=None)
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        style=discord.TextStyle.paragraph, max_length=MAX_QUESTION_CHARS, required=is_required
    )
    modal.add_item(ui.Label(text=label, component=field))
    # Told not to wait: what it is about stands in its id, so that a restart can take it too.
    modal.stop()
    return modal


def sent_text(interaction: discord.Interaction) -> str:
    """What was written into a form's one field."""
    for row in _data(interaction).get("components", []):
        field: dict[str, Any] = row.get("component") or next(iter(row.get("components", [])), {})
        if "value" in field:
            return str(field["value"] or "").strip()
    return ""


def chosen_value(interaction: discord.Interaction) -> str:
    """What was chosen from a list."""
    return str(next(iter(_data(interaction).get("values") or []), ""))


def id_of(interaction: discord.Interaction) -> str:
    """The id of the button, list or form that was used."""
    return str(_data(interaction).get("custom_id", ""))


def _data(interaction: discord.Interaction) -> dict[str, Any]:
    # What Discord sent, whose shape depends on what was used.
    return dict(interaction.data or {})
