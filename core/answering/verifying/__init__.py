"""Holds what a model wrote against the chunks it cites, sentence by sentence, without any other model."""

from core.answering.verifying.verifier import Verified, Verifier

__all__ = ["Verified", "Verifier"]
