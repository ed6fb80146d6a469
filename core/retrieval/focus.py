"""What a long question really asks, for models that know short ones."""

import re

from core.retrieval.leaning import leans
from core.text.sentences import Span, sentences

LEAST_FOCUS_WORDS = 4
_FENCED = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)", re.DOTALL)
_OPTIONS = re.compile(r"\n\s*(?:options|choices)\s*:?\s*\n.*", re.DOTALL | re.IGNORECASE)
_ENDED = re.compile(r"(?:(?:\w{3}|\d)[.…]|[!?:])[\"'”’)*_`]*\s+$")
_ABOUT = re.compile(
    r"\W*(?:(?:please |can you |could you )?tell (?:me|us) (?:something |more )?about|"
    r"what can you (?:say|tell me) about|"
    r"what (?:does|do) [\w ]{1,40} (?:say|tell|teach|explain) about|what is said(?: [\w ]{1,20})? about|"
    r"(?:please )?(?:explain|describe|summari[sz]e)(?: to me)?)\s+(\S+(?:\s+\S+){0,5})$",
    re.IGNORECASE,
)


def focus(question: str) -> str:
    """The question itself, without the code and the options it comes with; all of it where little is left.

    What leads up to it ("Consider this program.") is left out where it stands alone. "Tell me about nodes"
    becomes "What is nodes?": the reranker knows questions, not requests.
    """
    bare = _OPTIONS.sub("", _FENCED.sub("\n\n", question))
    line = " ".join(bare.split())
    if about := _ABOUT.match(line):
        return f"What is {about[1].rstrip('?. ')}?"
    return _asked(bare) or line if len(line.split()) > LEAST_FOCUS_WORDS else question


def _asked(text: str) -> str | None:
    """The last sentence that asks, where it needs nothing of what was said before it."""
    asking = [span for span in sentences(text) if span.of(text).endswith("?") and _begins(text, span)]
    last = " ".join(asking[-1].of(text).split()) if asking else ""
    return last if last and not leans(last) else None


def _begins(text: str, span: Span) -> bool:
    """Whether a sentence really begins here, and not behind an initial or "v."."""
    before = text[: span.start]
    return not before.strip() or "\n\n" in before[-4:] or _ENDED.search(before) is not None
