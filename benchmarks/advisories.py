"""Looks up every pinned dependency in the registry's security advisories: `make audit`."""

import json
import subprocess
import sys
from typing import Any

LOCKS = ("requirements/run.lock", "requirements/dev.lock")
PATIENCE_SECONDS = 300
MAX_REASON_CHARS = 120
WORDS = [
    "--require-hashes",
    "--disable-pip",
    "--format=json",
    "--desc=off",
    "--progress-spinner=off",
    "--timeout=5",
]


def main() -> int:
    packages = asked()
    if packages is None:
        return 0
    findings = found(packages)
    checked = sum("vulns" in package for package in packages)
    print(f"{checked} of {len(packages)} packages looked up, {len(findings)} known vulnerabilities")
    for finding in findings:
        print(f"  {finding}")
    if not checked:
        print("The advisory service knows none of them, so this says nothing; try again elsewhere.")
    return 1 if findings else 0


def asked() -> list[dict[str, Any]] | None:
    """What the service says of each package; None if it cannot be asked, which is told."""
    locks = [word for lock in LOCKS for word in ("--requirement", lock)]
    try:
        audit = subprocess.run(
            [sys.executable, "-m", "pip_audit", *locks, *WORDS],
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        packages: list[dict[str, Any]] = json.loads(audit.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        print("The advisory service does not answer: known vulnerabilities were not looked up.")
        return None
    except json.JSONDecodeError:
        reason = (audit.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"Known vulnerabilities were not looked up ({shortened(reason)}).")
        return None
    return packages


def shortened(reason: str) -> str:
    return reason if len(reason) <= MAX_REASON_CHARS else f"{reason[:MAX_REASON_CHARS]} …"


def found(packages: list[dict[str, Any]]) -> list[str]:
    """One line for each vulnerability, with the version that repairs it."""
    return sorted(
        {
            f"{package['name']} {package['version']}: {known['id']}, "
            + (f"repaired in {known['fix_versions'][0]}" if known["fix_versions"] else "not repaired yet")
            for package in packages
            for known in package.get("vulns", [])
        }
    )


if __name__ == "__main__":
    sys.exit(main())
