"""Parses the small XML files of an EPUB without trusting them."""

import re
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from core.errors import UnreadableFile

# Named entities come from a DTD nobody fetches; these two are common and harmless.
_UNKNOWN_ENTITY = re.compile(rb"&(?!amp;|lt;|gt;|quot;|apos;|#)[A-Za-z][A-Za-z0-9]*;")


def parse_xml(raw: bytes, *, name: str) -> Element:
    """The root element.

    Raises:
        UnreadableFile: it is not XML, or declares entities, which can unfold without end.
    """
    try:
        return ElementTree.fromstring(_UNKNOWN_ENTITY.sub(b" ", raw.lstrip()))
    except DefusedXmlException as error:
        raise UnreadableFile(
            f"{name} declares XML entities, which can unfold without end, so it was not read."
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise UnreadableFile(f"{name} is not well-formed XML.") from error


def local(element: Element) -> str:
    """The element's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def all_named(root: Element, name: str) -> list[Element]:
    """Every element called *name* below *root*, whatever its namespace."""
    return [element for element in root.iter() if local(element) == name]


def words(element: Element) -> str:
    """The element's text on one line."""
    return " ".join("".join(element.itertext()).split())
