"""What can be wrong with a claim."""

from enum import StrEnum


class Fault(StrEnum):
    """What is wrong with a claim."""

    NO_MARK = "no passage is cited"
    NO_PASSAGE = "the passage cited does not exist"
    NUMBER = "a number is not in the passage"
    IDENTIFIER = "a name of code is not in the passage"
    NAME = "a name is not in the passage"
    QUOTE = "the quoted words are not in the passage"
    NEGATED = "the passage says the opposite"
    SWAPPED = "the passage says this of something else"
    UNSUPPORTED = "the passage does not say this"
    HARMFUL = "it does not come from the book"
