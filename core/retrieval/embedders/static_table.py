"""The WordLlama table: tokens of the Llama 2 vocabulary and one vector for each."""

import re
from functools import lru_cache
from itertools import chain

import numpy as np

from core.errors import SettingsError
from core.ports import Vector
from core.retrieval.local_models.weights import Carrier, WeightFile, checked

VECTORS = WeightFile(
    "weights/l2_supercat_256.safetensors",
    sha256="64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
)
TOKENIZER = WeightFile(
    "tokenizers/l2_supercat_tokenizer_config.json",
    sha256="bf467c9e0f536bda271283c6ef85eb1a943e3196b621c8a912d64953b205df83",
)
START = 1
"""The token `<s>`, which stands in for a text without any."""
SPACE = "▁"
"""How the vocabulary writes a space."""
WORD = re.compile(f"{SPACE}+[^{SPACE}]*")
CACHED_WORDS = 65_536


class StaticTable:
    """Looks up the vectors of a text's tokens. Belongs to one thread."""

    def __init__(self, carrier: Carrier) -> None:
        try:
            # Both come with the extra, and only this class needs them.
            from safetensors.numpy import load_file  # noqa: PLC0415 an optional package
            from tokenizers import Tokenizer  # noqa: PLC0415 an optional package
        except ImportError as error:
            raise SettingsError(
                f"The static embedder is not installed ({error.name} is missing). "
                "Install it with: pip install 'footnote[static]'"
            ) from error
        # Kept as 32-bit numbers: summing 16-bit ones is four times slower.
        self._vectors = load_file(checked(VECTORS, carrier))["embedding.weight"].astype(np.float32)
        tokens = Tokenizer.from_file(str(checked(TOKENIZER, carrier))).model

        # Not a method: a cache that holds its owner would keep the table in memory after closing.
        @lru_cache(maxsize=CACHED_WORDS)
        def word_ids(word: str) -> tuple[int, ...]:
            return tuple(token.id for token in tokens.tokenize(word))

        self._word_ids = word_ids

    def ids(self, text: str) -> list[int]:
        """The ids the vocabulary's own tokenizer gives.

        No token of this vocabulary reaches from one word into the next, so words can be cut on their own and
        remembered. That is several times faster than the tokenizer, which takes the whole text as one word.
        """
        words = WORD.findall(SPACE + text.replace(" ", SPACE)) if text else ()
        return list(chain.from_iterable(map(self._word_ids, words)))

    def total(self, text: str) -> Vector:
        """The sum of the vectors of the text's tokens."""
        rows = np.asarray(self.ids(text) or [START], dtype=np.intp)
        total: Vector = np.ones(len(rows), dtype=np.float32) @ self._vectors.take(rows, axis=0)
        return total
