"""Markdown and text files → lessons, with what their front matter says."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from posixpath import join, normpath

from core.errors import UnreadableFile
from core.ingestion.lesson import Block, Lesson, LessonPlace, SourceFile
from core.ingestion.readers.decoding import read_text
from core.ingestion.readers.dividing import divided
from core.ingestion.readers.front_matter import FrontMatter, split_front_matter
from core.ingestion.readers.inclusion import Inclusion, included_files, root_of
from core.ingestion.readers.markdown import first_heading, markdown_blocks
from core.ingestion.readers.numbering import is_index, module_slug, number_prefix, readable
from core.ingestion.readers.partials import Partials, names_in

SUFFIXES = (".md", ".mdx", ".markdown")


def read(source: SourceFile) -> list[Lesson]:
    """The lesson in a Markdown or MDX file; several where one file holds a whole book.

    Raises:
        UnreadableFile: it cannot be opened, is not text, or says nothing.
    """
    decoded = read_text(source)
    front = split_front_matter(decoded.text)
    body, left_out = _with_parts(front.body, source)
    blocks = markdown_blocks(body, is_mdx=source.path.lower().endswith(".mdx"))
    if not blocks:
        raise UnreadableFile(f"{source.path} has no text.")
    warnings = (*decoded.warnings, *front.warnings, *left_out)
    return divided(to_lesson(source, front, blocks, warnings=warnings))


def parts(source: SourceFile) -> Sequence[Path]:
    """The files that a page imports to show them."""
    return included_files(source, names_in)


def to_lesson(
    source: SourceFile, front: FrontMatter, blocks: tuple[Block, ...], *, warnings: tuple[str, ...]
) -> Lesson:
    """A lesson placed by its front matter first, by its path where that is silent."""
    title = front.text("title") or source.title or first_heading(blocks) or front.text("sidebar_label")
    return Lesson(
        source_file=source.path,
        title=title or readable(PurePosixPath(source.path).stem),
        blocks=blocks,
        place=said_place(front, source.place),
        breadcrumb=source.breadcrumb,
        slug=slug_of(source.path, slug=front.text("slug"), page_id=front.text("id")),
        order=source.order_of(0),
        warnings=warnings,
        address=source.address,
    )


def said_place(front: FrontMatter, path: LessonPlace) -> LessonPlace:
    """The front matter's word before the path's."""
    module = front.text("module", "module_id", "module_slug")
    return LessonPlace(
        module=_module(module) if module else path.module,
        chapter=_either(front.number("chapter", "chapter_number"), path.chapter),
        lesson=_either(front.number("lesson", "lesson_number"), path.lesson),
        tier=front.number("hardware_tier", "tier"),
        level=front.text("proficiency_level", "proficiency", "level"),
        layer=front.text("layer", "teaching_layer"),
    )


def _with_parts(text: str, source: SourceFile) -> tuple[str, tuple[str, ...]]:
    """The text with the parts that it imports, and one sentence for each that had to be left out."""
    root = root_of(source)
    if root is None:
        return text, ()
    inclusion = Inclusion(root)
    return Partials(inclusion).resolve(text, source.absolute), inclusion.warnings


def slug_of(path: str, *, slug: str | None = None, page_id: str | None = None) -> str:
    """The page's path on its site, as Docusaurus makes it: numbers stripped, an index standing for its folder."""
    if slug is not None and slug.startswith("/"):
        return slug.strip("/")
    *folders, file = PurePosixPath(path).parts
    folder = "/".join(number_prefix(name)[1] for name in folders)
    if slug is None and is_index(path):
        return folder
    name = slug or page_id or number_prefix(PurePosixPath(file).stem)[1]
    resolved = normpath(join("/", folder, name)).strip("/")
    return "" if resolved == "." else resolved


def _module(text: str) -> str:
    return f"module-{text}" if text.isdigit() else module_slug(text)


def _either(first: int | None, second: int | None) -> int | None:
    return second if first is None else first
