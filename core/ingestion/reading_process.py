"""The program that reads files for ingestion in a process of its own, so that a bad file can take nothing along.

A request names some files and is answered once for each.
"""

import os
import sys
from contextlib import suppress

from core.errors import FootnoteError
from core.ingestion.lesson import Reader, SourceFile
from core.ingestion.prepared import PreparedLesson, prepare
from core.pipes import own_output, read_value, write_value
from core.retrieval.words import Words

MOST_MEMORY_BYTES = 1 << 30
"""What one file may make us need; a book that needs more is more likely an attack than a book."""
NICENESS = 5
"""Members' questions go before reading."""

Answer = list[PreparedLesson] | str
"""The lessons, or the reason why there are none."""


def main() -> None:
    """Answer requests until the other side closes the pipe."""
    requests, answers = sys.stdin.buffer, own_output()
    _be_modest()
    words = Words()
    with suppress(EOFError):
        while True:
            reader, batch = read_value(requests)
            for source in batch:
                write_value(answers, _answer(reader, source, words))


def _answer(reader: Reader, source: SourceFile, words: Words) -> Answer:
    try:
        return prepare(reader, source, words)
    except FootnoteError as error:
        return error.message
    except MemoryError:
        return "It needs more memory than a file may take."
    except RecursionError:
        return "It is nested too deeply to be read."
    # A reader's mistake must cost one file, not the book; the name of the error helps to find it.
    except Exception as error:
        return f"It could not be read ({type(error).__name__}: {str(error)[:200]})."


def _be_modest() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Windows has no such module

    os.nice(NICENESS)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(hard, MOST_MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


if __name__ == "__main__":
    main()
