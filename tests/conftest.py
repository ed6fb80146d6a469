"""What holds for every test: where its files are, and how properties are tried."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

IN_MEMORY = Path("/dev/shm")
ROOM_BYTES = 2**30
"""What a whole run leaves behind at once, many times over; containers often give far less."""


# A busy machine may take its time over an input.
settings.register_profile("footnote", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("footnote")


def pytest_configure() -> None:
    """Put temporary files into memory, unless the environment says where they belong.

    On a disk a database waits at every commit, and an index a dozen times when it is made.
    """
    has_room = IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES
    if has_room and not os.environ.keys() & {"TMPDIR", "TEMP", "TMP"}:
        os.environ["TMPDIR"] = str(IN_MEMORY)
        # It may have been asked, and then remembers the disk.
        tempfile.tempdir = None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that nobody waits for it at the end; spare properties the coverage.

    Coverage would see the same lines hundreds of times in them, which takes long.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    is_watched = config.pluginmanager.hasplugin("_cov") and not config.getoption("no_cov")
    for item in items:
        if is_watched and item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")
