"""What in a sentence can be checked letter by letter: numbers, identifiers, names, quoted words."""

import re
from decimal import Decimal

_NUMBER = re.compile(r"(?<![A-Za-z\d_.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\d])")
_VERSION = re.compile(r"(?<![\w.])\d+(?:\.\d+){2,}")
_LIST_MARKER = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*+•])\s+")
_TO_TWELVE = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_TO_TWELVE.split())} | {
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "twice": "2",
    "once": "1",
}
_NUMBER_WORD = re.compile(rf"\b({'|'.join(NUMBER_WORDS)})\b", re.IGNORECASE)

_UNITS = {
    "%": "percent percents",
    "ms": "millisecond milliseconds",
    "us": "µs microsecond microseconds",
    "s": "sec second seconds",
    "min": "minute minutes",
    "h": "hour hours",
    "day": "days",
    "hz": "hertz",
    "khz": "kilohertz",
    "mhz": "megahertz",
    "ghz": "gigahertz",
    "mm": "millimetre millimetres millimeter millimeters",
    "cm": "centimetre centimetres centimeter centimeters",
    "m": "metre metres meter meters",
    "km": "kilometre kilometres kilometer kilometers",
    "g": "gram grams",
    "kg": "kilogram kilograms",
    "kb": "kilobyte kilobytes",
    "mb": "megabyte megabytes",
    "gb": "gigabyte gigabytes",
    "tb": "terabyte terabytes",
    "n": "newton newtons",
    "v": "volt volts",
    "w": "watt watts",
    "°": "degree degrees deg",
    "rad": "radian radians",
}
UNITS = {name: unit for unit, names in _UNITS.items() for name in (unit, *names.split())}
_UNIT_AFTER = re.compile(r"[\s\u00a0-]{0,2}([a-zµ]+|%|°)", re.IGNORECASE)

_CODE_SPAN = re.compile(r"(`{1,2})([^`\n]+?)\1")
_IDENTIFIER = re.compile(
    r"""(?<![\w/`.-])(?:
        --?[a-z][\w-]+                      # --symlink-install
      | /?\w+(?:/\w+)+ | /[a-z]\w+          # /cmd_vel, src/robot
      | [A-Za-z]\w*(?:::\w+)+               # std::string
      | [A-Za-z]\w*(?:\.[A-Za-z]\w+)+       # package.xml, rclpy.init
      | [A-Za-z]\w*_\w+                     # qos_profile
      | [a-z]+[A-Z]\w* | [A-Z][a-z]+[A-Z]\w*  # camelCase, LaserScan
    )(?:\(\))?(?![\w/])""",
    re.VERBOSE,
)
_QUOTED = re.compile(r"“([^”\n]{2,300})”|\"([^\"\n]{2,300})\"|«([^»\n]{2,300})»")
_NAME = re.compile(r"(?<![\w`/.-])(?:[A-Z][a-z]+(?:-[A-Za-z]+)?|[A-Z]{2,}[a-z]?\d?)(?![\w_])")
_NO_NAME = "The This That These Those It Its In On At By For From With As If When While And Or But Yes No A An To"
_SYMBOL = re.compile(r"(?<![\w'’.-])[B-HJ-Z](?![\w'’.-]|\+\+)")
_GERMAN = re.compile(r"\b(?:der|das|und|ist|eine?|einen|nicht|wird|sind|auf|dem|den|des)\b")
_SPACE = re.compile(r"\s+")


def quantities(text: str) -> set[tuple[str, str]]:
    """Each number in a canonical form with the unit behind it, or an empty text. List markers do not count."""
    body = _LIST_MARKER.sub("", text)
    found = {(match[0], "") for match in _VERSION.finditer(body)}
    body = _VERSION.sub(" ", body)
    found |= {(_canonical(match[0]), _unit_after(body, match.end())) for match in _NUMBER.finditer(body)}
    spelled = _NUMBER_WORD.finditer(body)
    return found | {(NUMBER_WORDS[match[0].lower()], _unit_after(body, match.end())) for match in spelled}


def numbers(text: str) -> set[str]:
    """Each number in a canonical form."""
    return {number for number, _ in quantities(text)}


def symbols(text: str) -> set[str]:
    """Single letters that stand for something, such as the R in a formula."""
    return set(_SYMBOL.findall(_CODE_SPAN.sub(" ", text)))


def identifiers(text: str) -> list[str]:
    """Commands, names of code and paths, as they are written."""
    spans = [match[2].strip() for match in _CODE_SPAN.finditer(text)]
    return spans + [match[0] for match in _IDENTIFIER.finditer(_CODE_SPAN.sub(" ", text))]


def names(text: str) -> list[str]:
    """Words that are written as names inside a sentence; its first word tells nothing."""
    body = _LIST_MARKER.sub("", _CODE_SPAN.sub(" x ", text)).lstrip("*_“\"'( ")
    found = [
        match[0]
        for match in _NAME.finditer(body)
        if match[0] not in _NO_NAME.split()
        and (match.start() > 0 or match[0].isupper())
        and not _opens(body, match.start())
    ]
    # German writes every noun like a name.
    return [name for name in found if name.isupper()] if _GERMAN.search(body) else found


def quoted(text: str) -> list[str]:
    """What stands in quotation marks."""
    return [next(filter(None, match.groups())).strip(" .,;:!?") for match in _QUOTED.finditer(text)]


def plain(text: str) -> str:
    """Text for comparing word by word: no markup, one kind of quotation mark and space, small letters."""
    straight = text.translate(str.maketrans("’‘“”–—", "''\"\"--"))
    return _SPACE.sub(" ", re.sub(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}", "", straight)).strip().casefold()


def _canonical(number: str) -> str:
    value = Decimal(number.replace(",", "")).normalize()
    return f"{value:f}"


def _unit_after(text: str, end: int) -> str:
    match = _UNIT_AFTER.match(text, end)
    return UNITS.get(match[1].lower(), "") if match else ""


def _opens(text: str, position: int) -> bool:
    """Whether a word stands where any word would be written with a capital."""
    before = text[:position].rstrip(" *_“\"'(")
    return not before or before[-1] in ":.!?"
