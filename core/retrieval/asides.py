"""Passages that speak of the book itself: objectives, overviews, exercises, lists of what comes next."""

import re

_HEADING = re.compile(
    r"""\b(?:
        objectives? | learning\ goals | what\ you(?:['’]ll|\ will)\ (?:learn|build) | you\ will\ learn
      | check\ yourself | check\ your\ understanding | self[- ]?check | quiz | exercises? | practice
      | review\ questions | questions | outline | contents | in\ this\ (?:chapter|lesson|module|part)
      | next\ steps? | what['’]s\ next | prerequisites | further\ reading | references | bibliography
      | try\ (?:it|with) | mastery\ gate | reflection | how\ to\ use\ this\ book
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_PART = r"(?:book|chapter|lesson|module|section|part|course)"
_TEXT = re.compile(
    rf"""^\W*(?:
        by\ the\ end | after\ (?:this|reading|completing|finishing)
      | in\ (?:this|the\ next|the\ previous)\ {_PART}
      | this\ {_PART}\ (?:covers|introduces|explains|shows|teaches|is\ about|will|begins|gives)
      | you(?:['’]ll|\ will)\ (?:learn|be\ able|understand|see|build) | we(?:['’]ll|\ will)\b
      | (?:chapter|lesson|module|part|week)\ \d+(?:\.\d+)*\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def is_about_the_book(passage: str, section: str) -> bool:
    """Whether a passage tells what the book does rather than what its subject is; a question counts too."""
    return bool(_HEADING.search(section) or _TEXT.search(passage) or passage.rstrip(" *_`").endswith("?"))
