"""Lists every dependency's licence and refuses what is not permissive: `make audit`."""

import json
import re
import subprocess
import sys
from pathlib import Path

RUN_LOCK = Path("requirements/run.lock")
PAGE = Path("docs/licences.md")

PERMISSIVE = re.compile(
    r"\b(MIT|0?BSD|APACHE|ISC|PSF|PYTHON SOFTWARE FOUNDATION|MPL|MOZILLA|UNLICENSE|ZLIB|CC0)\b", re.IGNORECASE
)
"""MPL obliges only whoever changes a file of the package itself, which we do not."""

KNOWN = {
    "typing-extensions": "PSF-2.0",
    # Its wheels carry PDFium; the licences of its parts lie beside it and are of these kinds.
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
    # For other systems or versions of Python than the one that is looked at.
    "audioop-lts": "PSF-2.0",
    "colorama": "BSD License",
    "coloredlogs": "MIT License",
    "humanfriendly": "MIT License",
    "mpmath": "BSD-3-Clause",
    "sympy": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
}
"""Packages whose own words are missing or not to the point, read by hand in their sources."""


def main() -> int:
    licences = installed()
    strays = [f"{name}: {licence}" for name, licence in licences.items() if not is_permissive(licence)]
    print(f"{len(licences)} packages, {len(strays)} without a permissive licence")
    for stray in strays:
        print(f"  {stray}")
    if "--write" in sys.argv:
        needed = {name: (licences | KNOWN)[name] for name in pinned(RUN_LOCK)}
        PAGE.write_text(to_page(needed), encoding="utf-8")
    return 1 if strays else 0


def installed() -> dict[str, str]:
    """What is installed here, by name, with what it says of its licence."""
    listed = subprocess.run(
        [sys.executable, "-m", "piplicenses", "--format=json", "--from=mixed", "--with-system"],
        check=True,
        capture_output=True,
        text=True,
    )
    rows = {normal(row["Name"]): str(row["License"]).splitlines()[0] for row in json.loads(listed.stdout)}
    return {name: KNOWN.get(name, rows[name]) for name in sorted(rows)}


def is_permissive(licence: str) -> bool:
    """Whether every part of it is; of parts to choose from, one is enough."""
    parts = re.split(r"\bAND\b|[;,]", licence)
    return all(any(map(PERMISSIVE.search, re.split(r"\bOR\b", part))) for part in parts)


def pinned(lock: Path) -> list[str]:
    """The names in a lock file, for every system and version of Python."""
    found = re.findall(r"^([\w.-]+)==", lock.read_text(encoding="utf-8"), re.MULTILINE)
    return sorted({normal(name) for name in found})


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


HEAD = """# Licences of what Footnote needs to run

All are permissive; `make audit` checks it, and `python -m benchmarks.licences --write` writes this page. MPL
obliges only whoever changes a file of the package itself. The embedded models have their own licences, in
[models.md](models.md).

| package | licence, as the package names it |
|---|---|
"""


def to_page(licences: dict[str, str]) -> str:
    return HEAD + "".join(f"| {name} | {licence} |\n" for name, licence in licences.items())


if __name__ == "__main__":
    sys.exit(main())
