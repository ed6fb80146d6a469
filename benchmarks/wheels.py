"""Whether every pinned package has a ready-made wheel wherever Footnote runs: `make wheels`.

Asks pip what it would install elsewhere; nothing is installed. What only another system needs
(`sys_platform == "win32"`) is left out: pip judges that by this machine.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

LOCKS = (Path("requirements/run.lock"), Path("requirements/dev.lock"))
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GLIBC = ("2_28", "2_27", "2_26", "2_24", "2_17")
PLATFORMS: Mapping[str, Sequence[str]] = {
    "Linux on x86-64": (*(f"manylinux_{each}_x86_64" for each in GLIBC), "manylinux2014_x86_64"),
    "Linux on ARM": (*(f"manylinux_{each}_aarch64" for each in GLIBC), "manylinux2014_aarch64"),
    "macOS on ARM": (
        *(f"macosx_{each}_0_arm64" for each in (14, 13, 12, 11)),
        *(f"macosx_{each}_universal2" for each in ("11_0", "10_15", "10_13", "10_9")),
    ),
    "Windows": ("win_amd64",),
}


def main() -> int:
    lacking = 0
    for platform, tags in PLATFORMS.items():
        for version in PYTHONS:
            problem = missing(tags, version)
            print(f"{platform}, Python {version}: {problem or 'every package has a wheel'}", flush=True)
            lacking += bool(problem)
    return 1 if lacking else 0


def missing(tags: Sequence[str], version: str) -> str:
    """What pip cannot find there, in its own words; empty where it finds everything."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--disable-pip-version-check"]
        command += ["--only-binary", ":all:", "--no-deps", "--require-hashes", "--target", folder]
        command += ["--implementation", "cp", "--python-version", version]
        command += [word for tag in tags for word in ("--platform", tag)]
        command += [word for lock in LOCKS for word in ("-r", str(lock))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return "" if done.returncode == 0 else " ".join(errors)[:300]


if __name__ == "__main__":
    sys.exit(main())
