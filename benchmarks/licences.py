"""Lists every dependency's licence and refuses what is not permissive: `make audit`."""

import json
import subprocess
import sys

PERMISSIVE = (
    "MIT",
    "BSD",
    "APACHE",
    "ISC",
    "PSF",
    "PYTHON SOFTWARE FOUNDATION",
    "MPL",
    "MOZILLA",
    "UNLICENSE",
    "0BSD",
    "ZLIB",
    "CC0",
)
"""MPL obliges only whoever changes a file of the package itself, which we do not."""

KNOWN = {"typing_extensions": "PSF-2.0"}
"""Packages whose metadata names no licence, read by hand in their sources."""


def main() -> int:
    listed = subprocess.run(
        [sys.executable, "-m", "piplicenses", "--format=json", "--from=mixed"],
        check=True,
        capture_output=True,
        text=True,
    )
    rows = json.loads(listed.stdout)
    strays = []
    for row in sorted(rows, key=lambda row: str(row["Name"]).lower()):
        licence = KNOWN.get(row["Name"], row["License"])
        is_permissive = any(word in licence.upper() for word in PERMISSIVE)
        is_copyleft = any(word in licence.upper() for word in ("GPL", "AGPL", "SSPL")) and not is_permissive
        if is_copyleft or not is_permissive:
            strays.append(f"{row['Name']} {row['Version']}: {licence}")
    print(f"{len(rows)} packages, {len(strays)} without a permissive licence")
    for stray in strays:
        print(f"  {stray}")
    return 1 if strays else 0


if __name__ == "__main__":
    sys.exit(main())
