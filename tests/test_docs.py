"""The documentation speaks of what there is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
_FILE = re.compile(
    r"(?<![\w/<>.])(?:bot|core|tests|evals|benchmarks|deploy)/[\w/.-]+\.(?:py|sql|json|tsv|mk|service)\b"
)
_TARGET = re.compile(r"`make ([a-z][a-z-]*)")


def _anchor(heading: str) -> str:
    """As GitHub and the forges that follow it make one of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _anchors(page: Path) -> set[str]:
    return {_anchor(line.lstrip("#")) for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "#"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for name, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / name if name else page

        assert target.exists(), name
        if anchor and target.suffix == ".md":
            assert anchor in _anchors(target), f"{name}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_is_there(page: Path) -> None:
    named = set(_FILE.findall(page.read_text(encoding="utf-8")))

    # A list of tests may leave out the folder they all are in.
    assert [
        name for name in sorted(named) if not (ROOT / name).exists() and not (ROOT / "tests" / name).exists()
    ] == []


def test_every_make_target_that_is_named_is_there() -> None:
    makefiles = [ROOT / "Makefile", ROOT / "benchmarks" / "targets.mk"]
    known = set(re.findall(r"^([a-z][a-z-]*):", "\n".join(file.read_text() for file in makefiles), re.MULTILINE))
    named = {target for page in PAGES for target in _TARGET.findall(page.read_text(encoding="utf-8"))}

    assert named - known == set()
