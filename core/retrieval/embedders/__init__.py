"""Everything that turns text into vectors."""

from core.retrieval.embedders.onnx_embedder import OnnxEmbedder
from core.retrieval.embedders.static_embedder import StaticEmbedder

__all__ = ["OnnxEmbedder", "StaticEmbedder"]
