"""`footnote eval`: the questions of a pack through the product, and how well it did."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.doing import FAILED, do
from bot.cli.options import Json
from bot.cli.printer import Printer
from core.errors import LibraryError
from core.ingestion.request import IngestRequest, Mode
from core.settings import Settings

if TYPE_CHECKING:
    from core.evaluation.outcome import Outcome
    from core.evaluation.pack import Pack, PackQuestion
    from core.evaluation.running import PackRun

FOLDER = "evaluation"
"""Where in the data folder the scratch libraries are kept, so that a pack is taken in once."""
PATIENCE_SECONDS = 600.0
"""A measurement waits until the whole book is known, so that it can be repeated."""


class WriterName(StrEnum):
    """Who answers."""

    EXTRACTIVE = "extractive"
    MODEL = "model"


def evaluate(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A folder with corpus/ and questions.dev.jsonl.")],
    *,
    questions: Annotated[Path | None, typer.Option("--questions", metavar="F", help="Other questions.")] = None,
    writer: Annotated[WriterName, typer.Option("--writer", help="Who answers.")] = WriterName.EXTRACTIVE,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="R.jsonl", help="Where results go.")] = None,
    is_fresh: Annotated[bool, typer.Option("--fresh", help="Take the corpus in anew.")] = False,
    is_remembering: Annotated[
        bool, typer.Option("--remember", help="Ask the models for each text once, ever; times then mean nothing.")
    ] = False,
    is_json: Json = False,
) -> None:
    """Ask every question of a pack and score the answers.

    \b
    Examples:
      footnote eval packs/rust-book --out rust.jsonl
      footnote eval packs/rust-book --questions mini.jsonl --limit 20 --json

    With --out a run that was stopped goes on where it was, and asks again what failed.
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> int:
        from core.evaluation.pack import read_pack

        chosen = read_pack(pack, questions=questions)
        chosen = replace(chosen, questions=chosen.questions[:limit])
        opened = _open_run(settings, chosen, writer, printer, is_fresh=is_fresh, is_remembering=is_remembering)
        async with opened as run:
            outcomes = await _asked(run, chosen.questions, out, printer)
        _print_scores(chosen, outcomes, printer)
        return _told_missing(chosen, outcomes, printer)

    do(work, printer)


@asynccontextmanager
async def _open_run(
    settings: Settings,
    pack: "Pack",
    writer: WriterName,
    printer: Printer,
    *,
    is_fresh: bool,
    is_remembering: bool,
) -> "AsyncIterator[PackRun]":
    """The pack's book in a library of its own, ready to be asked."""
    from contextlib import AsyncExitStack

    from core.answering.extractive_writer import ExtractiveWriter
    from core.answering.model import open_plain_writer
    from core.evaluation.remembering import RememberingEmbedder, RememberingReranker, open_memory
    from core.evaluation.running import PackRun
    from core.evaluation.timing import ModelClock, TimedEmbedder, TimedReranker
    from core.ports import Embedder, Reranker, Writer
    from core.retrieval.retriever import Retriever
    from core.wiring import open_core

    if writer is WriterName.MODEL and not settings.has_model:
        raise LibraryError("--writer model needs OPENAI_API_KEY or OPENAI_BASE_URL.")
    place = sha256(str(pack.folder).encode()).hexdigest()[:12]
    scratch = replace(settings, data_dir=settings.data_dir / FOLDER / f"{pack.name}-{place}")
    scratch.data_dir.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        core = await stack.enter_async_context(open_core(scratch))
        mode = Mode.RECREATE if is_fresh else Mode.INCREMENTAL
        request = IngestRequest(str(pack.corpus), pack.name, mode=mode, requested_by="operator")
        with printer.busy(f"Taking in {pack.name} …"):
            await core.ingestion.ingest(request)
        clock = ModelClock()
        embedder: Embedder = TimedEmbedder(core.embedder, clock)
        reranker: Reranker | None = TimedReranker(core.reranker, clock) if core.reranker else None
        if is_remembering:
            memory = stack.enter_context(open_memory(scratch.data_dir))
            embedder = RememberingEmbedder(embedder, memory)
            reranker = RememberingReranker(reranker, memory) if reranker else None
        retriever = Retriever(
            index=core.index,
            library=core.library,
            embedder=embedder,
            reranker=reranker,
            patience_seconds=PATIENCE_SECONDS,
        )
        chosen: Writer = ExtractiveWriter(retriever=retriever)
        if writer is WriterName.MODEL:
            # Without a fallback: the book's own words would be counted as the model's.
            chosen = await stack.enter_async_context(open_plain_writer(scratch, retriever, core.embedder))
        yield PackRun(retriever=retriever, writer=chosen, book=pack.name, clock=clock)


async def _asked(
    run: "PackRun", questions: "Sequence[PackQuestion]", out: Path | None, printer: Printer
) -> "dict[str, Outcome]":
    """Every question's outcome; what an earlier run wrote to *out* is not asked again.

    Raises:
        LibraryError: *out* has answers of another writer.
    """
    from core.evaluation.running import read_outcomes

    outcomes = dict(read_outcomes(out)) if out else {}
    others = {outcome.writer for outcome in outcomes.values()} - {run.writer}
    if others:
        raise LibraryError(
            f"{out} has answers of {', '.join(sorted(others))}. Name another file for {run.writer}."
        )
    left = [question for question in questions if question.id not in outcomes]
    done = len(questions) - len(left)
    with _written(out) as write, _bar(printer, total=len(questions), done=done) as step:
        async for outcome in run.run(left):
            outcomes[outcome.id] = outcome
            write(outcome)
            step()
    return outcomes


@contextmanager
def _written(out: Path | None) -> "Iterator[Callable[[Outcome], None]]":
    """Writes each outcome at once, so that a kill loses one line at most."""
    if out is None:
        yield lambda _: None
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8") as lines:
        # A run that was killed may have left half a line.
        if lines.tell() and not out.read_bytes().endswith(b"\n"):
            lines.write("\n")

        def write(outcome: "Outcome") -> None:
            lines.write(outcome.to_line() + "\n")
            lines.flush()

        yield write


@contextmanager
def _bar(printer: Printer, *, total: int, done: int) -> Iterator[Callable[[], None]]:
    if printer.is_quiet:
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=printer.err, transient=True) as progress:
        task = progress.add_task("Questions", total=total, completed=done)
        yield lambda: progress.advance(task)


def _print_scores(pack: "Pack", outcomes: "dict[str, Outcome]", printer: Printer) -> None:
    from core.evaluation.scores import scores

    pairs = [(question, outcomes[question.id]) for question in pack.questions if question.id in outcomes]
    measured = scores(pairs)
    if printer.is_json:
        printer.document({"pack": pack.name, "scores": measured})
        return
    rows = [(name, "-" if value is None else f"{value:g}") for name, value in measured.items()]
    printer.table(("measure", pack.name), rows)


def _told_missing(pack: "Pack", outcomes: "dict[str, Outcome]", printer: Printer) -> int:
    """The exit code: not 0 where questions were left out, which is said too."""
    missing = sum(question.id not in outcomes for question in pack.questions)
    if missing:
        printer.note(f"{missing} questions were not answered. With --out, run it again to ask only these.")
    return FAILED if missing else 0
