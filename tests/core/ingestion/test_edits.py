"""Whatever people do to a book's files, the library and the index end up saying just what the files say."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from core.ingestion.request import Mode
from core.store.job import JobStatus
from tests.core.ingestion.workshop import Workshop, lesson, passage
from tests.hostile.inputs import EXAMPLES

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEQUENCES = 3 * EXAMPLES
"""Few with the tests, thousands with `make fuzz`."""
WORKERS = 4
FOLDERS = ("", "part-1/", "part-2/", "part-1/chapter-3/")


@dataclass
class Page:
    """A file as its author sees it."""

    words: list[str]
    front: dict[str, object] = field(default_factory=dict)
    is_broken: bool = False

    @property
    def content(self) -> str | bytes:
        if self.is_broken:
            return bytes(range(256)) * 40
        return lesson(*(passage(word) for word in self.words), **self.front)


class Author:
    """Edits a small book at random, and knows what it must say."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._coined = 0
        self.pages: dict[str, Page] = {}
        self.touched: set[str] = set()

    def edit(self) -> None:
        """One to four edits, never leaving the book empty."""
        self.touched = set()
        for _ in range(self._random.randint(1, 4)):
            whole = (self._add, self._delete, self._rename, self._copy)
            inside = (self._rewrite, self._shorten, self._repeat, self._swap, self._renumber, self._regrade)
            self._random.choice((*whole, *inside, self._break_or_mend))()
        if not self.pages:
            self._add()

    def mode(self) -> Mode:
        return self._random.choices(list(Mode), weights=(8, 1, 1))[0]

    def _add(self) -> None:
        if len(self.pages) < 6:
            self._put(self._path(), Page([self._word() for _ in range(self._random.randint(1, 3))]))

    def _delete(self) -> None:
        if len(self.pages) > 1:
            del self.pages[self._any()]

    def _rename(self) -> None:
        if self.pages:
            page = self.pages.pop(self._any())
            self._put(self._path(), page)

    def _copy(self) -> None:
        if self.pages and len(self.pages) < 6:
            page = self.pages[self._any()]
            self._put(self._path(), Page(list(page.words), dict(page.front)))

    def _rewrite(self) -> None:
        if path := self._any():
            self.pages[path].words[-1] = self._word()

    def _shorten(self) -> None:
        if (path := self._any()) and len(self.pages[path].words) > 1:
            self.pages[path].words.pop(0)

    def _repeat(self) -> None:
        if (path := self._any()) and len(self.pages[path].words) < 4:
            self.pages[path].words.append(self.pages[path].words[0])

    def _swap(self) -> None:
        if path := self._any():
            self.pages[path].words.reverse()

    def _renumber(self) -> None:
        if path := self._any():
            self.pages[path].front["lesson"] = self._random.randint(1, 3)

    def _regrade(self) -> None:
        if path := self._any():
            self.pages[path].front["hardware_tier"] = self._random.randint(1, 4)

    def _break_or_mend(self) -> None:
        if path := self._any():
            self.pages[path].is_broken = not self.pages[path].is_broken

    def _put(self, path: str, page: Page) -> None:
        self.touched.add(path)
        self.pages[path] = page

    def _any(self) -> str:
        if not self.pages:
            return ""
        path = self._random.choice(sorted(self.pages))
        self.touched.add(path)
        return path

    def _path(self) -> str:
        return f"{self._random.choice(FOLDERS)}{self._random.choice('abcdefgh')}.md"

    def _word(self) -> str:
        self._coined += 1
        return f"w{self._coined}x"


@pytest.mark.parametrize("seed", range(WORKERS))
async def test_after_any_edits_the_library_says_what_the_files_say(workshop: Workshop, seed: int) -> None:
    author = Author(seed)
    author.edit()
    stored: dict[str, set[str]] = {}
    says: dict[str, Counter[str]] = {}
    for _ in range(SEQUENCES // WORKERS):
        author.edit()
        save(workshop, author)
        mode = author.mode()

        job = await workshop.ingest(mode)

        broken = {path for path, page in author.pages.items() if page.is_broken}
        assert (job.status, job.files_failed, bool(job.errors)) == (JobStatus.COMPLETED, len(broken), bool(broken))
        # Of a broken file the library goes on saying what it said before.
        readable = {path: Counter(page.words) for path, page in author.pages.items() if path not in broken}
        says = readable | {path: says[path] for path in broken & set(says)}
        assert await words_by_file(workshop) == says
        await workshop.check_all_is_well()
        ids = await ids_by_file(workshop)
        if mode is Mode.INCREMENTAL:
            untouched = set(stored) & set(author.pages) - author.touched
            assert {path: ids[path] for path in untouched} == {path: stored[path] for path in untouched}
        stored = ids


def save(workshop: Workshop, author: Author) -> None:
    for file in workshop.source.rglob("*.md"):
        if file.relative_to(workshop.source).as_posix() not in author.pages:
            file.unlink()
    workshop.write({path: page.content for path, page in author.pages.items()})


async def words_by_file(workshop: Workshop) -> dict[str, Counter[str]]:
    """What each file is about, passage by passage, as the library has it."""
    found: dict[str, Counter[str]] = {}
    for chunk in (await workshop.chunks()).values():
        said = [line.split()[1] for line in chunk.text.splitlines() if line.startswith("The w")]
        found.setdefault(chunk.source_file, Counter()).update(said)
    return found


async def ids_by_file(workshop: Workshop) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for chunk in (await workshop.chunks()).values():
        found.setdefault(chunk.source_file, set()).add(chunk.id)
    return found
