"""Everything an operator can choose about models, retrieval and answers."""

from dataclasses import dataclass

from core import setting_values as read
from core.setting_values import setting


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models read, search and answer, and how."""

    embedder: str = setting(
        "FOOTNOTE_EMBEDDER",
        read.choice("auto", "embedded", "static", "openai", "cohere"),
        "auto",
        "Embedding model: embedded (English), static (English, about 300 times faster, less exact), openai or "
        "cohere (any language); auto means embedded.",
    )
    reranks: bool = setting("FOOTNOTE_RERANK", read.flag, True, "Read the best sentences twice before answering.")
    threads: int = setting("FOOTNOTE_THREADS", read.whole(0, 256), 0, "Processor threads for the models; 0 = all.")
    openai_api_key: str | None = setting(
        "OPENAI_API_KEY", read.text, None, "Key for the answering model.", is_secret=True
    )
    openai_base_url: str | None = setting(
        "OPENAI_BASE_URL",
        read.url,
        None,
        "Any OpenAI-compatible server: Ollama, vLLM, llama.cpp, OpenRouter, Azure.",
    )
    openai_model: str = setting("OPENAI_MODEL", read.text, "gpt-6-luna", "Name of the answering model.")
    openai_temperature: str | None = setting(
        "OPENAI_TEMPERATURE",
        read.temperature,
        None,
        "0 to 2, or off to send none; empty means what suits the model.",
    )
    openai_reasoning_effort: str | None = setting(
        "OPENAI_REASONING_EFFORT",
        read.choice("off", "none", "minimal", "low", "medium", "high", "xhigh", "max"),
        None,
        "How long the model thinks, or off to send nothing; empty means what suits the model.",
    )
    openai_timeout_seconds: int = setting(
        "OPENAI_TIMEOUT", read.whole(1, 600), 30, "Seconds one request to the model may stand still."
    )
    openai_retries: int = setting(
        "OPENAI_MAX_RETRIES", read.whole(0, 10), 2, "How often a failed request is repeated."
    )
    openai_price_input: float | None = setting(
        "OPENAI_PRICE_INPUT",
        read.price,
        None,
        "US dollars per million tokens read, where Footnote does not know it.",
    )
    openai_price_output: float | None = setting(
        "OPENAI_PRICE_OUTPUT", read.price, None, "US dollars per million tokens written."
    )
    answer_seconds: int = setting(
        "FOOTNOTE_ANSWER_SECONDS",
        read.whole(5, 600),
        60,
        "After so many seconds the book is quoted without the model.",
    )
    openai_embedding_model: str = setting(
        "OPENAI_EMBEDDING_MODEL",
        read.text,
        "text-embedding-3-small",
        "OpenAI's model where FOOTNOTE_EMBEDDER=openai.",
    )
    cohere_api_key: str | None = setting(
        "COHERE_API_KEY", read.text, None, "Key for Cohere embeddings.", is_secret=True
    )
    cohere_model: str = setting(
        "COHERE_MODEL", read.text, "embed-english-v3.0", "Cohere's model where FOOTNOTE_EMBEDDER=cohere."
    )
    cohere_base_url: str | None = setting(
        "COHERE_BASE_URL", read.url, None, "Another Cohere address, for local servers."
    )
    reranker: str = setting(
        "FOOTNOTE_RERANKER", read.choice("embedded", "cohere"), "embedded", "What reads the best sentences twice."
    )
    cohere_rerank_model: str = setting(
        "COHERE_RERANK_MODEL", read.text, "rerank-v5.0-fast", "Cohere's model where FOOTNOTE_RERANKER=cohere."
    )
    qdrant_url: str | None = setting(
        "QDRANT_URL", read.url, None, "A Qdrant server; without one the index is embedded."
    )
    qdrant_api_key: str | None = setting(
        "QDRANT_API_KEY", read.text, None, "Key of that Qdrant server.", is_secret=True
    )
    qdrant_collection: str = setting(
        "QDRANT_COLLECTION_NAME", read.text, "footnote", "Collection on the Qdrant server."
    )
    top_k: int = setting("AGENT_TOP_K", read.whole(1, 20), 5, "Passages an answer may draw on, 1 to 20.")
    score_threshold: float = setting(
        "AGENT_SCORE_THRESHOLD", read.share, 0.0, "Similarity below which a passage is left out, 0 to 1."
    )
    max_turns: int = setting(
        "AGENT_MAX_TURNS",
        read.whole(1, 20),
        20,
        "Earlier turns of a conversation that the model is shown, 1 to 20.",
    )
