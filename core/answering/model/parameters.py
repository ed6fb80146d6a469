"""What each family of models wants to be sent, and what a server turned out not to take."""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from core.settings import Settings

OPTIONAL = ("temperature", "reasoning_effort", "stream_options", "tool_choice", "tools")
"""What a request can do without, in the order a refusal is searched for them."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that take the same parameters. None means: do not send it."""

    pattern: str
    temperature: float | None
    reasoning_effort: str | None


FAMILIES = (
    Family("gpt-6-astra*", None, None),
    Family("gpt-6.1-sol*", None, None),
    # Tools are refused unless the effort is "none", and a temperature is taken only with it.
    Family("gpt-6*", 0.0, "none"),
    Family("gpt-5.6*", 0.0, "none"),
    Family("gpt-5*", None, None),
    Family("o[1-9]*", None, None),
    Family("*", 0.0, None),
)
"""The first pattern that fits decides."""


@dataclass(slots=True)
class Parameters:
    """What is sent with each request for one model. Remembers what the server refused."""

    temperature: float | None = None
    reasoning_effort: str | None = None
    dropped: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, settings: Settings) -> "Parameters":
        """The family's values, each overridden by what the operator set; "off" sends none."""
        family = family_of(settings.openai_model)
        temperature, effort = family.temperature, family.reasoning_effort
        if settings.openai_temperature is not None:
            is_off = settings.openai_temperature == "off"
            temperature = None if is_off else float(settings.openai_temperature)
        if settings.openai_reasoning_effort is not None:
            effort = None if settings.openai_reasoning_effort == "off" else settings.openai_reasoning_effort
        return cls(temperature, effort)

    def sends(self, name: str) -> bool:
        return name not in self.dropped

    def drop_named_in(self, refusal: str) -> str | None:
        """Send the parameter that *refusal* names no more; None where it names none that we send."""
        named = [name for name in OPTIONAL if name in refusal]
        # vLLM speaks of "tool choice" where it was not started for tools.
        if "tool" in refusal:
            named.append("tools")
        dropped = next((name for name in named if self._is_sent(name)), None)
        if dropped is not None:
            self.dropped.add(dropped)
        return dropped

    def _is_sent(self, name: str) -> bool:
        has_value = name not in {"temperature", "reasoning_effort"} or getattr(self, name) is not None
        return has_value and name not in self.dropped


def family_of(model: str) -> Family:
    """The family a model belongs to, by its name without the vendor that routers put before it."""
    name = model.lower().rsplit("/", 1)[-1]
    return next(family for family in FAMILIES if fnmatchcase(name, family.pattern))
