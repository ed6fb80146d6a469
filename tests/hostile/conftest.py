"""Tells how many inputs were tried, over all processes that tried them."""

import pytest

from tests.hostile.inputs import tried


def pytest_sessionfinish(session: pytest.Session) -> None:
    sent = getattr(session.config, "workeroutput", None)
    if sent is not None:
        sent["hostile_inputs"] = dict(tried)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """A process of pytest-xdist is done; it hands over what it counted."""
    handed: dict[str, dict[str, int]] = getattr(node, "workeroutput", {})
    for name, count in handed.get("hostile_inputs", {}).items():
        tried[name] = tried.get(name, 0) + count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if tried:
        terminalreporter.write_line(f"{sum(tried.values()):,} hostile inputs over {len(tried)} properties")
