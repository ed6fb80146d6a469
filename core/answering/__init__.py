"""From chunks to an answer: writers, citing, confidence, and honest refusals."""
