"""Work that the bot does because it already holds the data folder; a command leaves it a job and follows it."""

import asyncio
from collections.abc import Mapping

from bot.cli.progress import Show
from core.ingestion.request import IngestRequest
from core.settings import Settings
from core.store.job import Job

LOOK_AGAIN_SECONDS = 0.3


async def handed_over(request: IngestRequest, settings: Settings, show: Show) -> Job:
    """An ingestion as the running bot ends it."""
    return await followed(
        settings,
        show,
        book=request.book,
        source=request.source,
        mode=str(request.mode),
        group=request.group,
        options=request.options,
    )


async def followed(
    settings: Settings,
    show: Show,
    *,
    book: str,
    source: str,
    mode: str,
    group: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Job:
    """A job put into the running bot's queue, as it ends."""
    from core.store.handover import queue_job
    from core.store.jobs import Jobs
    from core.store.opening import open_store_to_read

    job_id = await asyncio.to_thread(
        queue_job, settings.data_dir, book=book, source=source, mode=mode, group=group, options=options
    )
    async with open_store_to_read(settings.data_dir) as database:
        while not (job := await Jobs(database).get(job_id)).status.is_over:
            show(job)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
    return job
