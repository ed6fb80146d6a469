"""Reads mdBooks: SUMMARY.md gives the order, the titles and the places; includes are filled in."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from time import time_ns

from core.errors import UnreadableFile
from core.ingestion.lesson import Lesson, SourceFile
from core.ingestion.readers.decoding import decode, read_text
from core.ingestion.readers.dividing import divided
from core.ingestion.readers.fences import stretches
from core.ingestion.readers.front_matter import split_front_matter
from core.ingestion.readers.inclusion import Inclusion, included_files, root_of
from core.ingestion.readers.lessons import to_lesson
from core.ingestion.readers.markdown import markdown_blocks
from core.ingestion.readers.mdbook.includes import Includes, names_in, without_hidden_lines
from core.ingestion.readers.mdbook.summary import Chapter, read_summary
from core.ingestion.stamps import stamp_of
from core.ingestion.unseen import Unseen, is_gone

SUMMARY = "SUMMARY.md"
MAX_SUMMARY_BYTES = 4_000_000


def summary_of(root: Path) -> Path | None:
    """Where the book's summary is; None where *root* holds no mdBook."""
    folder = root / _source_folder(root)
    found = folder / SUMMARY
    return found if found.is_file() and found.resolve().is_relative_to(root.resolve()) else None


class MdBookReader:
    """Reads an mdBook. *refused* names the chapters that are listed but missing, *unseen* those that could not be
    looked at, once it discovered.
    """

    def __init__(self) -> None:
        self.refused: tuple[str, ...] = ()
        self.unseen: tuple[Unseen, ...] = ()

    def discover(self, root: Path) -> Iterable[SourceFile]:
        """The chapters of the summary that exist, each file once, in its order."""
        summary = summary_of(root)
        assert summary is not None, "only a folder with a summary is given to this reader"
        raw = summary.read_bytes()[:MAX_SUMMARY_BYTES]
        refused: list[str] = []
        unseen: list[Unseen] = []
        seen: set[Path] = set()
        for order, chapter in enumerate(read_summary(decode(raw, name=SUMMARY).text)):
            file = (summary.parent / chapter.file).resolve()
            if not chapter.file or file in seen:
                continue
            try:
                is_there = file.is_relative_to(root.resolve()) and S_ISREG(file.stat().st_mode)
            except OSError as error:
                is_there = False
                if not is_gone(error):
                    path = file.relative_to(root.resolve()).as_posix()
                    reason = f"{path} cannot be opened: {error.strerror or error}."
                    unseen.append(Unseen(path, reason, (path,)))
                    continue
            if not is_there:
                refused.append(f"{SUMMARY} names {chapter.file}, which is not in the book.")
                continue
            seen.add(file)
            yield _source(chapter, file, root.resolve(), order)
        self.refused, self.unseen = tuple(refused), tuple(unseen)

    def parts(self, source: SourceFile) -> Sequence[Path]:
        """The files that a chapter includes."""
        return included_files(source, names_in)

    def read(self, source: SourceFile) -> list[Lesson]:
        """The chapter in one file.

        Raises:
            UnreadableFile: it cannot be opened, is not text, or says nothing.
        """
        decoded = read_text(source)
        front = split_front_matter(decoded.text)
        inclusion = Inclusion(root_of(source) or source.absolute.parent)
        body = _without_hidden(Includes(inclusion).resolve(front.body, source.absolute))
        blocks = markdown_blocks(body, is_mdx=False)
        if not blocks:
            raise UnreadableFile(f"{source.path} has no text.")
        warnings = (*decoded.warnings, *front.warnings, *inclusion.warnings)
        lesson = to_lesson(source, front, blocks, warnings=warnings)
        return divided(replace(lesson, slug=_slug(source)))


def _source_folder(root: Path) -> str:
    """The folder that book.toml names, else "src", else the root itself."""
    try:
        settings = tomllib.loads((root / "book.toml").read_text("utf-8"))
        folder = settings.get("book", {}).get("src", "src")
    except (OSError, ValueError, AttributeError):
        folder = "src"
    if isinstance(folder, str) and (root / folder / SUMMARY).is_file():
        return folder
    return "." if (root / SUMMARY).is_file() else "src"


def _source(chapter: Chapter, file: Path, root: Path, order: int) -> SourceFile:
    now_ns, status = time_ns(), file.stat()
    return SourceFile(
        path=file.relative_to(root).as_posix(),
        location=str(file),
        size=status.st_size,
        order=order,
        breadcrumb=chapter.parents,
        title=chapter.title,
        place=chapter.place,
        stamp=stamp_of(status, now_ns=now_ns),
    )


def _without_hidden(body: str) -> str:
    parts = (
        without_hidden_lines(part) if is_code and part.lstrip().startswith(("```rust", "~~~rust")) else part
        for is_code, part in stretches(body)
    )
    return "".join(parts)


def _slug(source: SourceFile) -> str:
    """mdBook publishes each chapter as a page of its own; a README is its folder's index."""
    path = PurePosixPath(source.path)
    parts = path.parts[1:] if path.parts[0] == "src" else path.parts
    name = "index" if path.stem.lower() == "readme" else path.stem
    return "/".join([*parts[:-1], f"{name}.html"])
