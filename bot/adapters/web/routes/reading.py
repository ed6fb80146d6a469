"""Reading a lesson here, so that footnotes lead somewhere even where a book has no site of its own."""

import asyncio

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import not_found
from bot.adapters.web.reading import reading_page
from core.model import LOCAL_GROUP

router = APIRouter(include_in_schema=False)


@router.get("/read/{book_id}/{slug:path}")
async def read_lesson(book_id: str, slug: str, parts: PartsOf) -> HTMLResponse:
    """One lesson as a page."""
    book = await parts.library.book(book_id, group=LOCAL_GROUP)
    lesson = await parts.library.page(book_id, slug)
    chunks = await parts.library.lesson(lesson.parent_id) if lesson else []
    if lesson is None or not chunks:
        raise not_found("There is no such page in this book.")
    # A lesson can be a whole plain-text book; nobody else should wait while it is rendered.
    return HTMLResponse(await asyncio.to_thread(reading_page, chunks, lesson, book=book))
