"""Runs a BERT-shaped ONNX model on the processor."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from core.errors import ServiceDown
from core.retrieval.local_models.weights import Carrier, WeightFile, checked
from core.retrieval.local_models.wordpiece import WordPiece

MAX_TOKENS = 512
"""Positions the models were trained with, start and end included."""
MOST_THREADS = 4
"""More threads hardly help texts this short, and containers often report cores they may not use."""


@dataclass(frozen=True, slots=True)
class OnnxFiles:
    """The files a model is made of."""

    weights: WeightFile
    vocabulary: WeightFile


def default_threads() -> int:
    """As many threads as there are cores, within reason."""
    return min(MOST_THREADS, os.cpu_count() or 1)


class OnnxModel:
    """A loaded model and its tokenizer. Belongs to one thread."""

    def __init__(self, files: OnnxFiles, carrier: Carrier, *, threads: int) -> None:
        weights = checked(files.weights, carrier)
        self.tokenizer = WordPiece(checked(files.vocabulary, carrier))
        with translated():
            # The Windows build reports its use to its maker unless told not to.
            onnxruntime.disable_telemetry_events()
            self._session = onnxruntime.InferenceSession(
                str(weights), _session_options(threads), providers=["CPUExecutionProvider"]
            )

    def run(self, tokens: Sequence[int], *, second_part_at: int | None = None) -> NDArray[np.float32]:
        """The model's first output for one sequence of token ids.

        *second_part_at* is where the second of two texts read together begins.

        Sequences are run one by one. The weights are quantised dynamically, so in a batch
        a text's result would depend on its neighbours, and a long text is slower in a batch than alone.
        """
        ids = np.asarray([tokens], dtype=np.int64)
        types = np.zeros_like(ids)
        if second_part_at is not None:
            types[:, second_part_at:] = 1
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        with translated():
            output: NDArray[np.float32] = self._session.run(None, feed)[0][0]
        return output


@contextmanager
def translated() -> Iterator[None]:
    """Let no exception of the runtime out: it has no common class of its own, so every one is taken for its."""
    try:
        yield
    except Exception as error:
        raise ServiceDown("embedded model", str(error)) from error


def _session_options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting threads sleep instead of burning a core that the event loop needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options
