"""The program that reads files for ingestion in a process of its own, so that a bad file can take nothing along.

A request names some files and is answered by one frame for each; frames are pickled, each after its length.
"""

import os
import pickle
import sys
from typing import BinaryIO

from core.errors import FootnoteError
from core.ingestion.lesson import Reader, SourceFile
from core.ingestion.prepared import PreparedLesson, prepare
from core.retrieval.words import Words

LENGTH_BYTES = 8
MOST_MEMORY_BYTES = 1 << 30
"""What one file may make us need; a book that needs more is more likely an attack than a book."""
NICENESS = 5
"""Members' questions go before reading."""

Answer = list[PreparedLesson] | str
"""The lessons, or the reason why there are none."""


def main() -> None:
    """Answer requests until the other side closes the pipe."""
    requests, answers = sys.stdin.buffer, _own_output()
    _be_modest()
    words = Words()
    while (frame := _receive(requests)) is not None:
        reader, batch = pickle.loads(frame)  # noqa: S301 - our own process is on the other side
        for source in batch:
            _send(answers, _answer(reader, source, words))


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


def _own_output() -> BinaryIO:
    """Standard output for ourselves; what libraries print there goes to the error stream instead."""
    ours = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(ours, "wb")


def _be_modest() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Windows has no such module

    os.nice(NICENESS)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(hard, MOST_MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _receive(pipe: BinaryIO) -> bytes | None:
    length = pipe.read(LENGTH_BYTES)
    return pipe.read(int.from_bytes(length, "big")) if len(length) == LENGTH_BYTES else None


def _send(pipe: BinaryIO, answer: Answer) -> None:
    body = pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(len(body).to_bytes(LENGTH_BYTES, "big") + body)
    pipe.flush()


if __name__ == "__main__":
    main()
