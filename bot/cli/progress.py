"""How far an ingestion has come, where somebody is looking."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.cli.printer import Printer
from core.store.job import Job, JobStatus

Show = Callable[[Job], None]

LINES_AT_MOST = 10
"""On a plain terminal a line for each tenth of the way, not for each file."""


@contextmanager
def progress_bar(printer: Printer) -> Iterator[Show]:
    """While the block runs, show how far a job has come; nothing at all where nobody is looking."""
    if printer.is_quiet:
        yield lambda _: None
    elif printer.is_plain:
        yield _lines(printer)
    else:
        with _bar(printer) as show:
            yield show


@contextmanager
def _bar(printer: Printer) -> Iterator[Show]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files, {task.fields[chunks]} passages", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=printer.err, transient=True) as progress:
        task = progress.add_task("Looking at the book", total=None, chunks=0)

        def show(job: Job) -> None:
            words = "Waiting" if job.status is JobStatus.QUEUED else (job.current_file or "Reading")
            progress.update(
                task,
                description=words[-40:],
                completed=job.files_done,
                total=job.files_total or None,
                chunks=job.chunks_created,
            )

        yield show


def _lines(printer: Printer) -> Show:
    said = [-1]

    def show(job: Job) -> None:
        tenth = job.files_done * LINES_AT_MOST // job.files_total if job.files_total else 0
        if tenth > said[0]:
            said[0] = tenth
            printer.note(f"{job.files_done} of {job.files_total} files, {job.chunks_created} passages")

    return show
