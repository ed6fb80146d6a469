"""Ingests a folder with LangChain or LlamaIndex and prints what it took, as one line of JSON.

Runs in an environment of its own, which `make bench-ingest` makes. Both are set up as their documentation does it
for a folder of Markdown that is taken in again and again: their own splitter at our chunk size, their record of
what was taken in, a Chroma store on disk, and the embedder that Footnote uses.
"""
# mypy: ignore-errors
# ruff: noqa: PLC0415

import json
import os
import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

CHUNK_TOKENS = 400
CHUNK_CHARS = 1600
BATCH = 128


class Embed:
    """Footnote's static embedder, timed."""

    def __init__(self):
        # The weights are data of a package in Footnote's own environment.
        sys.path.append(os.environ["FOOTNOTE_SITE_PACKAGES"])
        from core.retrieval.embedders.static_table import StaticTable
        from core.retrieval.local_models.weights import WORDLLAMA

        self.table = StaticTable(WORDLLAMA)
        self.seconds = 0.0
        self.texts = 0

    def __call__(self, texts):
        started = perf_counter()
        vectors = []
        for text in texts:
            total = self.table.total(text)
            vectors.append((total / np.linalg.norm(total)).tolist())
        self.seconds += perf_counter() - started
        self.texts += len(texts)
        return vectors


def with_langchain(corpus, folder, embed):
    from langchain_chroma import Chroma
    from langchain_classic.indexes import SQLRecordManager, index
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_text_splitters import MarkdownTextSplitter

    class Adapter(Embeddings):
        def embed_documents(self, texts):
            return embed(texts)

        def embed_query(self, text):
            return embed([text])[0]

    store = Chroma("bench", embedding_function=Adapter(), persist_directory=str(folder / "chroma"))
    records = SQLRecordManager("bench", db_url=f"sqlite:///{folder}/records.sqlite")
    records.create_schema()
    splitter = MarkdownTextSplitter(chunk_size=CHUNK_CHARS, chunk_overlap=0)

    def run():
        pages = (
            Document(path.read_text(encoding="utf-8", errors="replace"), metadata={"source": str(path)})
            for path in sorted(corpus.rglob("*.md"))
        )
        chunks = (chunk for page in pages for chunk in splitter.split_documents([page]))
        index(
            chunks,
            records,
            store,
            cleanup="incremental",
            source_id_key="source",
            batch_size=BATCH,
            key_encoder="sha256",
        )
        return store._collection.count()

    return run


def with_llamaindex(corpus, folder, embed):
    import chromadb
    from llama_index.core import SimpleDirectoryReader
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.storage.docstore import SimpleDocumentStore
    from llama_index.vector_stores.chroma import ChromaVectorStore

    class Adapter(BaseEmbedding):
        def _get_text_embedding(self, text):
            return embed([text])[0]

        def _get_text_embeddings(self, texts):
            return embed(texts)

        def _get_query_embedding(self, query):
            return embed([query])[0]

        async def _aget_query_embedding(self, query):
            return embed([query])[0]

    collection = chromadb.PersistentClient(str(folder / "chroma")).create_collection("bench")
    pipeline = IngestionPipeline(
        transformations=[
            SentenceSplitter(chunk_size=CHUNK_TOKENS, chunk_overlap=0),
            Adapter(embed_batch_size=BATCH),
        ],
        docstore=SimpleDocumentStore(),
        docstore_strategy=DocstoreStrategy.UPSERTS,
        vector_store=ChromaVectorStore(chroma_collection=collection),
        disable_cache=True,
    )

    def run():
        reader = SimpleDirectoryReader(
            str(corpus), recursive=True, required_exts=[".md"], filename_as_id=True, errors="replace"
        )
        pipeline.run(documents=reader.load_data())
        pipeline.persist(str(folder / "pipeline"))
        return collection.count()

    return run


def cpu_seconds():
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


PEERS = {"LangChain": with_langchain, "LlamaIndex": with_llamaindex}


def main():
    name, corpus = sys.argv[1], Path(sys.argv[2])
    embed = Embed()
    embed(["warm"])
    with TemporaryDirectory() as folder:
        run = PEERS[name](corpus, Path(folder), embed)
        embed.seconds = 0.0
        started = perf_counter()
        chunks = run()
        between = perf_counter()
        run()
        ended = perf_counter()
    result = {
        "name": name,
        "chunks": chunks,
        "seconds": round(between - started, 2),
        "embedder_seconds": round(embed.seconds, 2),
        "unchanged_seconds": round(ended - between, 2),
        "cpu_seconds": round(cpu_seconds(), 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    sys.stdout.write(f"{json.dumps(result)}\n")


if __name__ == "__main__":
    main()
