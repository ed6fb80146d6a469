"""The library: what is in it, adding a book, removing one."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile

from bot.adapters.web.parts import Parts, PartsOf
from bot.adapters.web.problems import DOOR, NOT_FOUND, PROBLEMS, not_found
from bot.adapters.web.schemas.library import (
    BookDetails,
    BookForm,
    JobForm,
    LessonForm,
    Passage,
    RemarkForm,
    Starters,
)
from bot.adapters.web.uploads import remove_upload, store_uploads, to_book_id
from core.errors import LibraryError
from core.model import LOCAL_GROUP

router = APIRouter(tags=["library"], responses={**DOOR, **NOT_FOUND, **PROBLEMS})


@router.get("/api/books")
async def list_books(parts: PartsOf) -> list[BookForm]:
    """The books this channel may read."""
    return [BookForm.of(book) for book in await parts.library.books(group=LOCAL_GROUP)]


@router.get("/api/books/{book_id}")
async def read_book(book_id: str, parts: PartsOf) -> BookDetails:
    """A book with its outline and how its last ingestion went."""
    book = await parts.library.book(book_id, group=LOCAL_GROUP)
    jobs = await parts.jobs.list(book=book_id, limit=1)
    last_job = JobForm.of(await parts.jobs.get(jobs[0].id)) if jobs else None
    return BookDetails(
        **BookForm.of(book).model_dump(),
        lessons=[LessonForm.of(book_id, entry) for entry in await parts.library.outline(book_id)],
        remarks=[RemarkForm(**asdict(each)) for each in await parts.library.remarks(book_id)],
        last_job=last_job,
    )


@router.post("/api/books", status_code=202)
async def add_book(
    files: Annotated[
        list[UploadFile], File(min_length=1, description="Markdown, text, HTML, EPUB, PDF, or a zip of these.")
    ],
    title: Annotated[str, Form(min_length=1, max_length=120)],
    parts: PartsOf,
    base_url: Annotated[str | None, Form(max_length=500)] = None,
) -> JobForm:
    """Take in a book; the job tells how far it has come. The same title again brings the book up to date."""
    book_id = to_book_id(title)
    await _check_owner(parts, book_id)
    folder = _uploads(parts, book_id)
    if all(job.status.is_over for job in await parts.jobs.list(book=book_id)):
        # What was sent before is in the library, and nobody reads it any more.
        await asyncio.to_thread(remove_upload, folder)
    source = await store_uploads(files, folder)
    job = await parts.jobs.create(
        book=book_id,
        source=str(source),
        requested_by="web",
        options={"title": title.strip(), "base_url": base_url or None},
    )
    return JobForm.of(job)


@router.delete("/api/books/{book_id}", status_code=204)
async def remove_book(book_id: str, parts: PartsOf) -> Response:
    """Remove a book and everything kept of it."""
    await parts.library.book(book_id, group=LOCAL_GROUP)
    await parts.library.delete_book(book_id)
    await asyncio.to_thread(remove_upload, _uploads(parts, book_id))
    return Response(status_code=204)


@router.get("/api/passages/{chunk_id}")
async def read_passage(chunk_id: str, parts: PartsOf, quote: str = "") -> Passage:
    """One passage, the words of *quote* marked in it, and the ids of the ones before and after."""
    chunk = await parts.library.chunk(chunk_id, group=LOCAL_GROUP)
    if chunk is None:
        raise not_found("This passage is no longer in the library.")
    return Passage.of(chunk, quote=quote)


@router.get("/api/starters")
async def starters(parts: PartsOf, book: str | None = None) -> Starters:
    """Questions to begin with, taken from the headings of *book* or of the first book there is."""
    books = [each for each in await parts.library.books(group=LOCAL_GROUP) if book in (None, each.id)]
    return Starters(questions=await parts.desk.starting.questions(books[0]) if books else [])


async def _check_owner(parts: Parts, book_id: str) -> None:
    """A title that leads to another group's book must not touch what that group handed in."""
    others = {book.id for book in await parts.library.books(group=None) if book.group not in (None, LOCAL_GROUP)}
    if book_id in others:
        raise LibraryError("That title is taken; choose another one.", details={"field": "title"})


def _uploads(parts: Parts, book_id: str) -> Path:
    return parts.settings.data_dir / "uploads" / book_id
