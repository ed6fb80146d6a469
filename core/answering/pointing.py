"""Sentences that cannot stand alone, because they point at what was said before them."""

import re

_BACK = re.compile(
    r"""^\W*(?:this|that|these|those|it|they|he|she|its|their|such|both|neither|either|then|instead|therefore|thus|hence
        |however|but|so|also|otherwise|for\ this\ reason|in\ (?:this|that|such)\ (?:case|way))\b
      | \b(?:exactly|just)\ (?:this|that)\b | \b(?:this|that|such\ a)\ (?:kind|sort|way|case|reason|problem)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def points_back(sentence: str) -> bool:
    """Whether a reader needs the sentence before it to know what it is about."""
    return _BACK.search(sentence) is not None
