"""Which browser the tests and the pictures use: one of the system's, never one that is downloaded."""

import os
import shutil

# The shell comes first: a whole Chromium draws a window of its own around every page, at twice the cost.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")


def find_chromium() -> str | None:
    """The path of an installed Chromium, if there is one; FOOTNOTE_CHROMIUM names another."""
    named = os.environ.get("FOOTNOTE_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)
