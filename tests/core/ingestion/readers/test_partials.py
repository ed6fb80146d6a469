"""A page that imports a part of itself is read with it."""

from pathlib import Path

import pytest

from core.ingestion.discovery import read_book
from core.ingestion.lesson import Lesson
from tests.core.ingestion.making import a_book, lessons_of

WORDS = "Words enough to make a lesson of it."
IMPORT = "import Part from './_part.mdx';\n\n"


def _read(folder: Path, text: str, *, name: str = "docs/page.mdx", **others: str) -> Lesson:
    files = {f"docs/{path.replace('__', '.')}": each for path, each in others.items()}
    a_book(folder, {name: text, **files})
    return next(lesson for lesson in lessons_of(folder) if lesson.source_file == name)


@pytest.mark.parametrize("name", ["docs/page.md", "docs/page.mdx"])
@pytest.mark.parametrize("tag", ["<Part />", "<Part/>", "<Part></Part>", '<Part name="x" />'])
def test_an_imported_part_stands_where_it_is_shown(tmp_path: Path, name: str, tag: str) -> None:
    part = "---\ntitle: A part\n---\n\n## Inside\n\nWhat the part says.\n"

    lesson = _read(tmp_path, f"{IMPORT}# Page\n\nBefore.\n\n{tag}\n\nAfter.\n", name=name, _part__mdx=part)

    assert lesson.text == "# Page\n\nBefore.\n\n## Inside\n\nWhat the part says.\n\nAfter.\n\n"
    assert lesson.warnings == ()


def test_a_part_may_import_another_one(tmp_path: Path) -> None:
    inner = "import More from '../more/_more.md'\n\nPart.\n\n<More />\n"
    a_book(tmp_path, {"more/_more.md": "More of it."})

    lesson = _read(tmp_path, f"{IMPORT}{WORDS}\n\n<Part />\n", _part__mdx=inner)

    assert lesson.text == f"{WORDS}\n\nPart.\n\nMore of it.\n\n"


@pytest.mark.parametrize(
    ("target", "warning"),
    [
        pytest.param("./_no.mdx", "It includes ./_no.mdx, which is missing.", id="missing"),
        pytest.param("../../secret.md", "outside the book", id="outside"),
        pytest.param(f"./{'x' * 280}.md", "which is missing", id="a name that no file can have"),
        pytest.param("@site/docs/_part.mdx", "outside the book", id="by a name of the site's"),
        pytest.param("../.git/_part.md", "outside the book", id="hidden"),
        pytest.param("./page.mdx", "which includes itself", id="itself"),
        pytest.param("./_round.mdx", "which includes itself", id="in a circle"),
    ],
)
def test_a_part_that_cannot_be_shown_is_named(tmp_path: Path, target: str, warning: str) -> None:
    a_book(tmp_path, {"secret.md": "A secret."})
    text = f"import Part from '{target}';\n\n{WORDS}\n\n<Part />\n"

    lesson = _read(tmp_path / "book", text, _round__mdx="import P from './page.mdx'\n\n<P />\n")

    assert warning in " ".join(lesson.warnings)
    assert lesson.text.strip() == WORDS


def test_what_only_looks_like_a_part_stays_what_it_is(tmp_path: Path) -> None:
    listing = f"```mdx\n{IMPORT}<Part />\n```"

    lesson = _read(tmp_path, f"{IMPORT}{WORDS}\n\n{listing}\n", _part__mdx="Never shown.")

    assert lesson.text == f"{WORDS}\n\n{listing}\n\n"


def test_a_part_is_shown_with_the_item_that_it_stands_in(tmp_path: Path) -> None:
    lesson = _read(tmp_path, f"{IMPORT}1. One\n\n   <Part />\n\n2. Two\n", _part__mdx="Part.\n\nMore.\n")

    assert len(lesson.blocks) == 1
    assert "   Part." in lesson.text


def test_a_file_with_hostile_names_in_it_can_be_asked_for_its_parts(tmp_path: Path) -> None:
    (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
    names = ("./a\0b.md", f"./{'x' * 280}.md", "./loop.md", "./page.md", "./_part.md", "../../../etc/passwd.md")
    imports = "".join(f"import P{at} from '{name}'\n" for at, name in enumerate(names))
    a_book(tmp_path, {"page.md": imports, "_part.md": "Words."})

    reader, files = read_book(tmp_path)

    assert [part for file in files for part in reader.parts(file)] == [tmp_path / "_part.md"]
