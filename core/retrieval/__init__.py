"""Finding the chunks that carry an answer: embedding, indexing, searching and reranking."""
