import pickle
from pathlib import Path

import pytest

from core.errors import LibraryError
from core.ingestion.discovery import read_book
from tests.core.ingestion.making import a_book, lessons_of

TEXT = "Some words that make a lesson."


def _paths(root: Path) -> list[str]:
    return [source.path for source in read_book(root)[1]]


def test_files_come_in_the_order_a_site_would_show_them(tmp_path: Path) -> None:
    a_book(
        tmp_path,
        {
            "zebra.md": f"---\nsidebar_position: 1\n---\n{TEXT}",
            "apple.md": f"---\nsidebar_position: 2.5\n---\n{TEXT}",
            "README.md": TEXT,
            "chapter-10/01-a.md": TEXT,
            "chapter-2/02-b.md": TEXT,
            "chapter-2/01-a.md": TEXT,
            "appendix/_category_.json": '{"label": "First of all", "position": 0}',
            "appendix/words.md": TEXT,
        },
    )

    assert _paths(tmp_path) == [
        "README.md",
        "appendix/words.md",
        "zebra.md",
        "chapter-2/01-a.md",
        "chapter-2/02-b.md",
        "apple.md",
        "chapter-10/01-a.md",
    ]


def test_what_is_no_lesson_is_left_out(tmp_path: Path) -> None:
    a_book(
        tmp_path,
        {
            "lesson.md": TEXT,
            "_partial.md": TEXT,
            ".hidden/secret.md": TEXT,
            "node_modules/x/README.md": TEXT,
            "picture.png": b"\x89PNG",
        },
    )

    assert _paths(tmp_path) == ["lesson.md"]


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        pytest.param({"m/_category_.json": '{"label": "Module  One"}'}, "Module One", id="its category file"),
        pytest.param({"m/_category_.yml": "label: Module One\nposition: 3"}, "Module One", id="the same in YAML"),
        pytest.param({"m/README.md": f'---\ntitle: "Module One"\n---\n{TEXT}'}, "Module One", id="its index page"),
        pytest.param({"m/index.md": f"# Module One\n\n{TEXT}"}, "Module One", id="the index page's heading"),
        pytest.param({"m/_category_.json": "{broken"}, "M", id="its name, the category file being broken"),
    ],
)
def test_a_folder_is_called_by(tmp_path: Path, extra: dict[str, str], expected: str) -> None:
    a_book(tmp_path, {"m/lesson.md": TEXT, **extra})

    lesson = next(lesson for lesson in lessons_of(tmp_path) if lesson.source_file == "m/lesson.md")

    assert lesson.breadcrumb == (expected,)


def test_lessons_know_their_place_in_the_whole_book(tmp_path: Path) -> None:
    a_book(tmp_path, {"b.md": TEXT, "a.md": TEXT})

    orders = [lesson.order for lesson in lessons_of(tmp_path)]

    assert orders == sorted(set(orders))


def test_a_lesson_without_a_number_is_numbered_by_its_position(tmp_path: Path) -> None:
    a_book(tmp_path, {"ros/intro.md": f"---\nsidebar_position: 4\n---\n{TEXT}"})

    assert lessons_of(tmp_path)[0].place.lesson == 4


def test_links_never_lead_out_of_the_book_or_in_circles(tmp_path: Path) -> None:
    outside = a_book(tmp_path / "outside", {"secret.md": TEXT})
    root = a_book(tmp_path / "book", {"part/lesson.md": TEXT})
    (root / "part" / "loop").symlink_to(root)
    (root / "away.md").symlink_to(outside / "secret.md")
    (root / "nowhere.md").symlink_to(root / "missing.md")

    reader, files = read_book(root)

    assert [source.path for source in files] == ["part/lesson.md"]
    refused = " ".join(getattr(reader, "refused", ()))
    assert "away.md is a link that leads out of the book" in refused
    assert "nowhere.md is a link that leads nowhere" in refused
    assert "part/loop is a link to a folder that is already read" in refused


def test_a_reader_can_be_sent_to_another_process(tmp_path: Path) -> None:
    reader, files = read_book(a_book(tmp_path, {"lesson.md": TEXT}))

    copy, source = pickle.loads(pickle.dumps((reader, files[0])))

    assert copy.read(source)[0].text.strip() == TEXT


def test_a_folder_without_lessons_says_what_could_be_read(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"Nothing in .* can be read as a book; known are \.md"):
        read_book(tmp_path)
