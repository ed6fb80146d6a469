"""`footnote jobs`: ingestions, past and running."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.doing import do
from bot.cli.options import Json
from bot.cli.printer import Printer
from core.settings import Settings

if TYPE_CHECKING:
    from core.store.job import Job

JobId = Annotated[int, typer.Argument(metavar="JOB", help="The job's number.")]


def make_app() -> typer.Typer:
    app = typer.Typer(
        help="Show and cancel ingestions.",
        invoke_without_command=True,
        epilog="footnote jobs · footnote jobs show 3 · footnote jobs cancel 3",
    )
    app.callback()(list_jobs_by_default)
    app.command("list")(list_jobs)
    app.command("show")(show_job)
    app.command("cancel")(cancel)
    return app


def list_jobs_by_default(context: typer.Context, is_json: Json = False) -> None:
    """Show and cancel ingestions."""
    if context.invoked_subcommand is None:
        list_jobs(is_json=is_json)


def list_jobs(
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many, the latest first.")] = 20,
    is_json: Json = False,
) -> None:
    """List ingestions, the latest first."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.jobs import Jobs
        from core.store.opening import open_store_to_read

        async with open_store_to_read(settings.data_dir) as database:
            found = await Jobs(database).list(limit=limit)
        if printer.is_json:
            printer.document({"jobs": [job.to_dict() for job in found]})
            return
        printer.table(("job", "book", "status", "files", "passages", "begun"), [_row(job) for job in found])
        if not found:
            printer.note("Nothing was ingested yet.")

    do(work, printer)


def show_job(job_id: JobId, is_json: Json = False) -> None:
    """Show one ingestion with the files that failed."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.jobs import Jobs
        from core.store.opening import open_store_to_read

        async with open_store_to_read(settings.data_dir) as database:
            print_job(await Jobs(database).get(job_id), printer)

    do(work, printer)


def cancel(job_id: JobId, is_json: Json = False) -> None:
    """Cancel an ingestion, also one that the running bot works on."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.handover import cancel_job
        from core.store.jobs import Jobs
        from core.store.opening import open_store_to_read

        async with open_store_to_read(settings.data_dir) as database:
            if (await Jobs(database).get(job_id)).status.is_over:
                printer.note(f"Job {job_id} had already ended; there is nothing to cancel.")
            cancel_job(settings.data_dir, job_id)
            print_job(await Jobs(database).get(job_id), printer)

    do(work, printer)


def print_job(job: "Job", printer: Printer) -> None:
    """How an ingestion went, and which files it could not take in."""
    if printer.is_json:
        printer.document(job.to_dict())
        return
    colour = {"completed": "green", "failed": "red"}.get(job.status, "yellow")
    seconds = f" in {job.duration_seconds:.0f} s" if job.duration_seconds is not None else ""
    printer.line(f"Job {job.id}: {job.book} {job.status}{seconds}", style=colour)
    printer.line(
        f"{job.files_processed} files read, {job.files_skipped} unchanged, {job.files_failed} failed; "
        f"{job.chunks_created} passages added, {job.chunks_deleted} removed."
    )
    if job.error_message:
        printer.line(job.error_message, style="red")
    for error in job.errors:
        printer.line(f"  {error.source_file}: {error.message}", style="yellow")


def _row(job: "Job") -> tuple[str, ...]:
    files = f"{job.files_done}/{job.files_total}"
    return str(job.id), job.book, str(job.status), files, str(job.chunks_created), job.created_at[:16]
