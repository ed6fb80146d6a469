"""One file to its lessons. Apart from discovery, so that reading processes load nothing that fetches sites."""

from dataclasses import replace

from core.errors import UnreadableFile
from core.ingestion.lesson import Lesson, Reader, SourceFile
from core.ingestion.readers.decoding import tidy
from core.model.limits import MIN_CHUNK_CHARS


def read_file(reader: Reader, source: SourceFile) -> list[Lesson]:
    """The lessons of one file; a function of its own, so that other processes can run it.

    Raises:
        UnreadableFile: nothing can be read from it; the message says why.
    """
    try:
        return [_finished(lesson) for lesson in reader.read(source)]
    except OSError as error:
        raise UnreadableFile(f"{source.path} cannot be opened: {error.strerror or error}.") from error
    except RecursionError as error:
        raise UnreadableFile(f"{source.path} is nested too deeply to be read.") from error


def _finished(lesson: Lesson) -> Lesson:
    """Titles come from many places in many formats; none may carry what a person cannot see."""
    title = _one_line(lesson.title) or lesson.source_file
    breadcrumb = tuple(name for each in lesson.breadcrumb if (name := _one_line(each)))
    warnings = lesson.warnings
    if len(lesson.text.strip()) < MIN_CHUNK_CHARS:
        warnings = (*warnings, f"{title} has next to no text to find anything by.")
    return replace(lesson, title=title, breadcrumb=breadcrumb, warnings=warnings)


def _one_line(text: str) -> str:
    return " ".join(tidy(text).split())
