"""Files that a leader drops on the page: taken in within limits, under names that stay inside their folder."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from uuid import uuid4

from fastapi import UploadFile

from bot.uploads import to_slug
from core.errors import LibraryError
from core.ingestion.readers.files import SUFFIXES

MAX_UPLOAD_BYTES = 300_000_000
MAX_UPLOAD_FILES = 1_000
"""The form parser's own limit; larger books come as a zip."""
KINDS = frozenset({*SUFFIXES, ".zip", ".json", ".yml", ".yaml", ".toml"})
"""What may be sent; JSON, YAML and TOML carry a book's order and titles (_category_.json, book.toml …)."""
_BLOCK_BYTES = 1 << 20
_SIGNATURES = {".pdf": (b"%PDF-",), ".epub": (b"PK\x03\x04",), ".zip": (b"PK\x03\x04", b"PK\x05\x06")}
_MAX_ID_CHARS = 60
_MAX_DEPTH = 12


def to_book_id(title: str) -> str:
    """A title as a short name that fits in addresses and commands.

    Raises:
        LibraryError: nothing of it can be used.
    """
    book_id = to_slug(title, most=_MAX_ID_CHARS)
    if not book_id:
        raise LibraryError("Give the book a title with letters or digits in it.", details={"field": "title"})
    return book_id


def safe_path(name: str) -> PurePosixPath:
    """The path a file may have inside its book's folder.

    Raises:
        LibraryError: the name leads out of the folder, or its kind is not one we read.
    """
    path = PurePosixPath(unicodedata.normalize("NFC", name).replace("\\", "/"))
    parts = [part for part in path.parts if part not in {"", "."}]
    has_trick = path.is_absolute() or any(part == ".." or ":" in part or "\x00" in part for part in parts)
    if not parts or has_trick or len(parts) > _MAX_DEPTH or any(len(part.encode()) > 200 for part in parts):
        raise LibraryError(f"The file name {name[:80]!r} cannot be used.", details={"field": "files"})
    if path.suffix.lower() not in KINDS:
        known = "Markdown, text, HTML, EPUB, PDF or a zip of these"
        raise LibraryError(f"{parts[-1][:80]} is not a book file. Send {known}.", details={"field": "files"})
    return PurePosixPath(*parts)


async def store_uploads(files: Sequence[UploadFile], folder: Path) -> Path:
    """Write *files* into a new folder below *folder*; gives the book's source: the one file, or the folder.

    Raises:
        LibraryError: a name, a kind or a size is outside the limits. Nothing is left behind then.
    """
    if not 0 < len(files) <= MAX_UPLOAD_FILES:
        raise LibraryError(
            f"Send between 1 and {MAX_UPLOAD_FILES} files; these are {len(files)}.",
            details={"field": "files", "max": MAX_UPLOAD_FILES, "found": len(files)},
        )
    paths = [safe_path(file.filename or "") for file in files]
    root = folder / uuid4().hex
    written: list[Path] = []
    try:
        left = MAX_UPLOAD_BYTES
        for file, path in zip(files, paths, strict=True):
            target = root.joinpath(*path.parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            written.append(target)
            left -= await _write(file, target, left)
    except BaseException:
        remove_upload(root)
        raise
    return written[0] if len(written) == 1 else root


def remove_upload(root: Path) -> None:
    """Delete an upload's folder with all that is in it."""
    for path in sorted(root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    if root.exists():
        root.rmdir()


async def _write(file: UploadFile, target: Path, left: int) -> int:
    written = 0
    with target.open("wb") as out:
        while block := await file.read(_BLOCK_BYTES):
            if not written:
                _check_signature(target, block)
            written += len(block)
            if written > left:
                raise LibraryError(
                    f"These files are larger than {MAX_UPLOAD_BYTES // 1_000_000} MB together. Send fewer.",
                    details={"field": "files", "max": MAX_UPLOAD_BYTES},
                )
            out.write(block)
    return written


def _check_signature(target: Path, start: bytes) -> None:
    expected = _SIGNATURES.get(target.suffix.lower())
    # Some PDFs carry a few bytes before their signature; readers look in the first kilobyte.
    if expected and not any(signature in start[:1024] for signature in expected):
        raise LibraryError(
            f"{target.name} is no {target.suffix[1:].upper()} file, whatever its name says.",
            details={"field": "files"},
        )
