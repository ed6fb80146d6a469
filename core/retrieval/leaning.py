"""Whether words stand alone, or need what was said before them."""

import re

from core.retrieval.questions import content_words

FEW_WORDS = 3
"""A question with so few words of its own seldom names its subject."""
_LEANING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|one|ones|there|here|such|"
    r"former|latter|same|other|others|another|else|more|also|too|instead|both|above|again|further)\b"
    r"|^\W*(?:and|but|so|or|then|ok|okay|why|how so|what about|how about|really|for example|give|go on|continue|"
    r"elaborate)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"^\W*(?:(?:what|who|where|when)(?:['’]s|\s+(?:is|are|was|were|does|do|did))|define|explain|describe|"
    r"tell me about|how (?:does|do|is|are|can|should))\b",
    re.IGNORECASE,
)


def leans(text: str) -> bool:
    """Whether a question needs what was said before: it points back, goes on, or hardly says anything itself.

    "What is a topic?" says little too, but it names its subject.
    """
    if _LEANING.search(text):
        return True
    own = content_words(text)
    return not own or (len(own) <= FEW_WORDS and not _NAMING.search(text))
