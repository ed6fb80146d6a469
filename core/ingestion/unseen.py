"""What is there but could not be looked at: nobody can say that it is gone."""

from dataclasses import dataclass

EVERYTHING = ("",)


@dataclass(frozen=True, slots=True)
class Unseen:
    """A part of a book's source that could not be looked at this time."""

    what: str
    """What the job calls it."""
    reason: str
    """One sentence that says why."""
    paths: tuple[str, ...]
    """The files and folders it may hold, relative to the book's root; *EVERYTHING* where nobody can tell."""

    def may_hold(self, path: str) -> bool:
        """Whether the file at *path* may be there all the same."""
        return any(not each or path == each or path.startswith(f"{each}/") for each in self.paths)


def is_gone(error: OSError) -> bool:
    """Whether *error* says that there is nothing, rather than that we may not or cannot look."""
    return isinstance(error, FileNotFoundError | NotADirectoryError)
