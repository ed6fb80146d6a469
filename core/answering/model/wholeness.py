"""Whether a model that says it is done is done: half a sentence is shown to nobody."""

from core.answering.marks import marks
from core.answering.model.chat import Completion
from core.answering.model.prompts import REFUSAL
from core.answering.verifying.facts import plain
from core.providers.openai_api import SERVICE
from core.providers.trouble import BROKE_OFF, NONSENSE, service_down

_GOES_ON = frozenset(",;:([{<-–—/\\")
_FENCE = "```"


def whole_text(completion: Completion) -> str:
    """What the model wrote, as its answer.

    Raises:
        ServiceDown: it wrote nothing, or broke off although it said that it was done.
    """
    text = completion.text.strip()
    if not text:
        raise service_down(SERVICE, NONSENSE, "the model said nothing")
    if completion.finish == "tool_calls" and not completion.calls:
        raise service_down(SERVICE, BROKE_OFF, "the model announced a search and did not make it")
    if not is_refusal(text) and _is_half(text):
        raise service_down(SERVICE, BROKE_OFF, "the answer ends in the middle of a sentence")
    return text


def is_refusal(text: str) -> bool:
    """Whether the model says, in the words it was given for that, that the passages do not answer."""
    return not marks(text) and plain(REFUSAL) in plain(text)


def _is_half(text: str) -> bool:
    """A sentence ends with a stop or with its marks; one of a script without cases may end with any letter."""
    last = text[-1]
    is_in_word = last.isdigit() or last.lower() != last.upper()
    return is_in_word or last in _GOES_ON or text.count(_FENCE) % 2 == 1
