"""The names of a site's pages as files of a book."""

from urllib.parse import unquote, urlsplit

from core.ingestion.readers.files import SUFFIXES

_ENDINGS = {"text/plain": ".txt", "text/markdown": ".md"}
_PAGE_ENDING = ".html"


def path_of(address: str, kind: str) -> str:
    """A file's name for a page's address, so that the same page keeps its name from run to run."""
    return _path(address, _ENDINGS.get(kind, _PAGE_ENDING))


def paths_of(address: str) -> tuple[str, ...]:
    """Every name that the page at *address* may have had, whatever kind it was."""
    return tuple(_path(address, ending) for ending in (_PAGE_ENDING, *_ENDINGS.values()))


def _path(address: str, ending: str) -> str:
    parts = urlsplit(address)
    path = unquote(parts.path).strip("/")
    if parts.path.endswith("/") or not path:
        path = f"{path}/index".strip("/")
    if not path.lower().endswith(SUFFIXES):
        path += ending
    return f"{path}?{parts.query}{ending}" if parts.query else path
