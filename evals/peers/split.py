"""Cuts a corpus the way another library does by default; runs in that library's own environment.

python split.py langchain|llamaindex CORPUS OUT.jsonl
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

ENDINGS = {".md", ".mdx", ".txt"}


def files(corpus: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(corpus.rglob("*")):
        if path.suffix in ENDINGS:
            yield str(path.relative_to(corpus)), path.read_text(encoding="utf-8", errors="replace")


def langchain(text: str) -> list[str]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter  # noqa: PLC0415 only one of the two is needed

    return list(RecursiveCharacterTextSplitter().split_text(text))


def llamaindex(text: str) -> list[str]:
    from llama_index.core.node_parser import SentenceSplitter  # noqa: PLC0415 only one of the two is needed

    return list(SentenceSplitter().split_text(text))


def main() -> None:
    split = {"langchain": langchain, "llamaindex": llamaindex}[sys.argv[1]]
    with Path(sys.argv[3]).open("w", encoding="utf-8") as out:
        for name, text in files(Path(sys.argv[2])):
            for chunk in split(text):
                if chunk.strip():
                    out.write(json.dumps({"file": name, "text": chunk}) + "\n")


if __name__ == "__main__":
    main()
