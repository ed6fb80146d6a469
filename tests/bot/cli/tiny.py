"""A book of two pages, and models that are loaded in a moment."""

from pathlib import Path

from core.settings import Settings

QUICK = {"FOOTNOTE_EMBEDDER": "static", "FOOTNOTE_RERANK": "0"}
"""What an answer is worth with better models is measured elsewhere."""
PAGES = {
    "basics/topics.md": (
        "# Topics\n\nA topic is a named channel on which nodes publish messages of one type. "
        "Any number of nodes may subscribe to it.\n\n## Quality of service\n\n"
        "Quality of service decides whether a lost message is sent again. A reliable publisher sends it again.\n"
    ),
    "basics/services.md": (
        "# Services\n\nA service is a call from one node to another that waits for an answer. "
        "Use it for short questions only.\n"
    ),
}


def quick(data_dir: Path, *, port: int = 8765) -> Settings:
    """The settings that QUICK stands for."""
    return Settings(data_dir=data_dir, embedder="static", reranks=False, port=port)


def write_pages(folder: Path) -> Path:
    for name, text in PAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder
