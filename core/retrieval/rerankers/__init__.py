"""Everything that reads a question and a text together."""

from core.retrieval.rerankers.cohere_reranker import CohereReranker
from core.retrieval.rerankers.onnx_reranker import OnnxReranker

__all__ = ["CohereReranker", "OnnxReranker"]
